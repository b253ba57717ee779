/* Generators whose results come from many sequences in turn: draw i of a call belongs to lane i modulo their number. This is
 * how the threads of a GPU share the work, and the guide calls it the ordering of the results. */
#ifndef EMULATOR_CURAND_LANES_H
#define EMULATOR_CURAND_LANES_H

#include "runtime/emulator/math_libraries/curand/generator.h"

struct lanes_kind {
    size_t state_bytes; /* of a lane */
    bool keeps_halves;  /* where pairs are used by halves, the second one is the next result; else it is lost */
    unsigned lanes, legacy_lanes;

    /* Places `count` lanes, each of which has given `steps` numbers. */
    bool (*place)(void *states, unsigned count, uint64_t steps, const struct options *options);

    /* The lane's next `count` raw numbers. */
    void (*next)(void *state, uint64_t *raw, unsigned count);
};

void *lanes_start(const struct kind *kind, const struct options *options);
uint64_t lanes_fill(void *state, const struct distribution *distribution, void *results, size_t count);

#endif
