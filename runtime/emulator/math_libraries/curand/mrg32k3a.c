/* MRG32k3a: P. L'Ecuyer, Good parameters and implementations for combined multiple recursive random number generators,
 * Operations Research 47 (1), 1999. Lanes are 2^76 numbers apart. */
#include <string.h>

#include "runtime/emulator/math_libraries/curand/lanes.h"

enum { LANES = 81920, LEGACY_LANES = 4096, LANE_DISTANCE_LOG2 = 76 };

static const uint64_t m1 = 4294967087, m2 = 4294944443;

/* The two recurrences, the oldest value first. */
struct mrg_state {
    uint32_t first[3], second[3];
};

struct matrix {
    uint64_t row[3][3];
};

/* From three values to the next three: x1, x2, a12 x1 - a13 x0; x1, x2, a21 x2 - a23 x0. */
static const struct matrix first_step = {{{0, 1, 0}, {0, 0, 1}, {4294967087 - 810728, 1403580, 0}}};
static const struct matrix second_step = {{{0, 1, 0}, {0, 0, 1}, {4294944443 - 1370589, 0, 527612}}};

static void next(void *state, uint64_t *raw, unsigned count)
{
    struct mrg_state *lane = state;
    for (unsigned i = 0; i < count; i++) {
        uint64_t first = (1403580 * (uint64_t)lane->first[1] + 810728 * (m1 - lane->first[0])) % m1;
        uint64_t second = (527612 * (uint64_t)lane->second[2] + 1370589 * (m2 - lane->second[0])) % m2;
        *lane = (struct mrg_state){{lane->first[1], lane->first[2], (uint32_t)first},
                                   {lane->second[1], lane->second[2], (uint32_t)second}};
        raw[i] = first <= second ? first + m1 - second : first - second;
    }
}

static struct matrix product(const struct matrix *a, const struct matrix *b, uint64_t modulus)
{
    struct matrix result = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            uint64_t sum = 0;
            for (int k = 0; k < 3; k++)
                sum = (sum + a->row[i][k] * b->row[k][j] % modulus) % modulus;
            result.row[i][j] = sum;
        }
    return result;
}

static void apply(const struct matrix *matrix, uint32_t *values, uint64_t modulus)
{
    uint32_t result[3];
    for (int i = 0; i < 3; i++) {
        uint64_t sum = 0;
        for (int k = 0; k < 3; k++)
            sum = (sum + matrix->row[i][k] * values[k] % modulus) % modulus;
        result[i] = (uint32_t)sum;
    }
    memcpy(values, result, sizeof result);
}

static void skip(uint32_t *values, struct matrix matrix, uint64_t modulus, uint64_t steps)
{
    for (; steps > 0; steps >>= 1) {
        if (steps & 1)
            apply(&matrix, values, modulus);
        matrix = product(&matrix, &matrix, modulus);
    }
}

static struct matrix to_next_lane(struct matrix matrix, uint64_t modulus)
{
    for (int i = 0; i < LANE_DISTANCE_LOG2; i++)
        matrix = product(&matrix, &matrix, modulus);
    return matrix;
}

static struct mrg_state seeded(uint64_t seed)
{
    /* How cuRAND mixes a seed into the initial values that L'Ecuyer uses. */
    uint64_t initial = 12345, low = (uint32_t)seed ^ 0x55555555u, high = (uint32_t)(seed >> 32) ^ 0xAAAAAAAAu;
    if (seed == 0)
        low = high = 1;
    uint32_t first[2] = {(uint32_t)(low * initial % m1), (uint32_t)(high * initial % m1)};
    uint32_t second[2] = {(uint32_t)(low * initial % m2), (uint32_t)(high * initial % m2)};
    return (struct mrg_state){{first[0], first[1], first[0]}, {second[1], second[0], second[1]}};
}

static bool place(void *states, unsigned count, uint64_t steps, const struct options *options)
{
    struct mrg_state *lanes = states, lane = seeded(options->seed);
    skip(lane.first, first_step, m1, steps);
    skip(lane.second, second_step, m2, steps);
    struct matrix first = to_next_lane(first_step, m1), second = to_next_lane(second_step, m2);
    for (unsigned i = 0; i < count; i++) {
        lanes[i] = lane;
        apply(&first, lane.first, m1);
        apply(&second, lane.second, m2);
    }
    return true;
}

static const struct lanes_kind lanes = {sizeof(struct mrg_state), false, LANES, LEGACY_LANES, place, next};

const struct kind mrg32k3a = {
    .name = "CURAND_RNG_PSEUDO_MRG32K3A",
    .type = TYPE_MRG32K3A,
    .format = RAW_MRG,
    .takes_offset = true,
    .orders = 1u << (ORDER_BEST - ORDER_BEST) | 1u << (ORDER_DEFAULT - ORDER_BEST) | 1u << (ORDER_LEGACY - ORDER_BEST)
              | 1u << (ORDER_DYNAMIC - ORDER_BEST),
    .start = lanes_start,
    .fill = lanes_fill,
    .lanes = &lanes,
};
