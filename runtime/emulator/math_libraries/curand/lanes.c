#include "runtime/emulator/math_libraries/curand/lanes.h"

#include <stdlib.h>
#include <string.h>

/* The raw numbers of a pair of which a lane has given the first result. */
struct half {
    uint64_t raw[2];
    bool kept;
};

/* The lanes' states follow, then a half for each. */
struct lanes {
    const struct lanes_kind *kind;
    unsigned count, current; /* the lane of the next draw */
    struct half *halves;
    _Alignas(16) unsigned char states[];
};

void *lanes_start(const struct kind *kind, const struct options *options)
{
    const struct lanes_kind *of = kind->lanes;
    bool legacy = options->order == ORDER_LEGACY || options->order == ORDER_SEEDED;
    unsigned count = legacy ? of->legacy_lanes : of->lanes;
    size_t state_bytes = (count * of->state_bytes + 15) / 16 * 16;
    struct lanes *lanes = calloc(1, sizeof *lanes + state_bytes + count * sizeof *lanes->halves);
    if (!lanes)
        return NULL;
    *lanes = (struct lanes){.kind = of, .count = count, .current = (unsigned)(options->offset % count)};
    lanes->halves = (struct half *)(void *)(lanes->states + state_bytes);
    if (!of->place(lanes->states, count, options->offset / count, options)) {
        free(lanes);
        return NULL;
    }
    for (unsigned i = 0; i < lanes->current; i++) {
        uint64_t passed;
        of->next(lanes->states + i * of->state_bytes, &passed, 1);
    }
    return lanes;
}

/* The lane's next result of a distribution that uses pairs by halves. */
static void next_half(struct lanes *lanes, const struct distribution *distribution, void *result)
{
    struct half *half = &lanes->halves[lanes->current];
    _Alignas(8) unsigned char both[MOST_RESULTS * sizeof(uint64_t)];
    bool second = half->kept;
    if (!second)
        lanes->kind->next(lanes->states + lanes->current * lanes->kind->state_bytes, half->raw, 2);
    half->kept = !second && lanes->kind->keeps_halves;
    distribution->make(distribution, half->raw, both);
    memcpy(result, both + second * distribution->size, distribution->size);
}

uint64_t lanes_fill(void *state, const struct distribution *distribution, void *results, size_t count)
{
    struct lanes *lanes = state;
    unsigned char *result = results;
    unsigned made = distribution->by_halves ? 1 : distribution->result_count; /* by a draw */
    for (size_t i = 0; i < count; i += made, result += made * distribution->size) {
        uint64_t raw[MOST_RAW];
        if (distribution->by_halves) {
            next_half(lanes, distribution, result);
        } else {
            lanes->kind->next(lanes->states + lanes->current * lanes->kind->state_bytes, raw, distribution->raw_count);
            distribution->make(distribution, raw, result);
        }
        lanes->current = lanes->current + 1 == lanes->count ? 0 : lanes->current + 1;
    }
    return count / made;
}
