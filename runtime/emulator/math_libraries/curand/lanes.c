#include "runtime/emulator/math_libraries/curand/lanes.h"

#include <stdlib.h>

/* The lanes' states follow. */
struct lanes {
    const struct lanes_kind *kind;
    unsigned count, current; /* the lane of the next draw */
    _Alignas(16) unsigned char states[];
};

void *lanes_start(const struct kind *kind, const struct options *options)
{
    const struct lanes_kind *of = kind->lanes;
    bool legacy = options->order == ORDER_LEGACY || options->order == ORDER_SEEDED;
    unsigned count = legacy ? of->legacy_lanes : of->lanes;
    struct lanes *lanes = malloc(sizeof *lanes + count * of->state_bytes);
    if (!lanes)
        return NULL;
    *lanes = (struct lanes){.kind = of, .count = count, .current = (unsigned)(options->offset % count)};
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

uint64_t lanes_fill(void *state, const struct distribution *distribution, void *results, size_t count)
{
    struct lanes *lanes = state;
    unsigned char *result = results;
    for (size_t i = 0; i < count; i += distribution->result_count) {
        uint64_t raw[MOST_RAW];
        lanes->kind->next(lanes->states + lanes->current * lanes->kind->state_bytes, raw, distribution->raw_count);
        distribution->make(distribution, raw, result);
        result += distribution->result_count * distribution->size;
        lanes->current = lanes->current + 1 == lanes->count ? 0 : lanes->current + 1;
    }
    return count / distribution->result_count;
}
