/* XORWOW: G. Marsaglia, Xorshift RNGs, Journal of Statistical Software 8 (14), 2003, page 5. Lanes are 2^67 numbers
 * apart; with the ordering SEEDED each has a seed of its own. */
#include <string.h>

#include "runtime/emulator/math_libraries/curand/lanes.h"

enum { WORDS = 5, BITS = 32 * WORDS, LANES = 4096, LANE_DISTANCE_LOG2 = 67 };

struct xorwow_state {
    uint32_t counter, v[WORDS];
};

/* A linear map of the five words: the image of each bit. */
struct matrix {
    uint32_t image[BITS][WORDS];
};

static uint32_t step(struct xorwow_state *state)
{
    uint32_t *v = state->v, t = v[0] ^ v[0] >> 2;
    memmove(v, v + 1, (WORDS - 1) * sizeof *v);
    v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
    state->counter += 362437;
    return v[4] + state->counter;
}

static void next(void *state, uint64_t *raw, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        raw[i] = step(state);
}

static void apply(const struct matrix *matrix, uint32_t *v)
{
    uint32_t result[WORDS] = {0};
    for (int bit = 0; bit < BITS; bit++) {
        uint32_t mask = -(v[bit / 32] >> bit % 32 & 1);
        for (int i = 0; i < WORDS; i++)
            result[i] ^= matrix->image[bit][i] & mask;
    }
    memcpy(v, result, sizeof result);
}

static void one_step(struct matrix *matrix)
{
    for (int bit = 0; bit < BITS; bit++) {
        struct xorwow_state state = {0};
        state.v[bit / 32] = 1u << bit % 32;
        step(&state);
        memcpy(matrix->image[bit], state.v, sizeof state.v);
    }
}

static void square(struct matrix *matrix)
{
    struct matrix once = *matrix;
    for (int bit = 0; bit < BITS; bit++)
        apply(&once, matrix->image[bit]);
}

static struct xorwow_state seeded(uint64_t seed)
{
    /* How cuRAND mixes a seed into Marsaglia's initial values. */
    uint32_t low = 1099087573u * ((uint32_t)seed ^ 0xaad26b49u), high = 2591861531u * ((uint32_t)(seed >> 32) ^ 0xf7dcefddu);
    return (struct xorwow_state){
        6615241u + high + low,
        {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low},
    };
}

static void skip(struct xorwow_state *state, uint64_t steps)
{
    struct matrix matrix;
    one_step(&matrix);
    state->counter += 362437u * (uint32_t)steps;
    for (; steps > 0; steps >>= 1) {
        if (steps & 1)
            apply(&matrix, state->v);
        square(&matrix);
    }
}

static bool place(void *states, unsigned count, uint64_t steps, const struct options *options)
{
    struct xorwow_state *lanes = states, first = seeded(options->seed);
    skip(&first, steps);
    struct matrix to_next_lane;
    one_step(&to_next_lane);
    for (int i = 0; i < LANE_DISTANCE_LOG2; i++)
        square(&to_next_lane);
    for (unsigned i = 0; i < count; i++) {
        lanes[i] = first;
        apply(&to_next_lane, first.v); /* the counter comes round: 2^67 is a multiple of its period */
    }
    return true;
}

static const struct lanes_kind lanes = {sizeof(struct xorwow_state), true, LANES, LANES, place, next};

const struct kind xorwow = {
    .name = "CURAND_RNG_PSEUDO_XORWOW",
    .type = TYPE_XORWOW,
    .format = RAW_PAIRED,
    .takes_offset = true,
    .orders = 1u << (ORDER_BEST - ORDER_BEST) | 1u << (ORDER_DEFAULT - ORDER_BEST) | 1u << (ORDER_LEGACY - ORDER_BEST)
              | 1u << (ORDER_DYNAMIC - ORDER_BEST),
    .start = lanes_start,
    .fill = lanes_fill,
    .lanes = &lanes,
};
