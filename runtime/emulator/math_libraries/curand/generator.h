/* A generator: its options, and the kind that makes its numbers. */
#ifndef EMULATOR_CURAND_GENERATOR_H
#define EMULATOR_CURAND_GENERATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/emulator/math_libraries/curand/api.h"
#include "runtime/emulator/math_libraries/curand/distribution.h"

/* What a generator was asked to be. */
struct options {
    uint64_t seed, offset;
    int order;
    unsigned dimensions;
};

/* A kind of generator. Its state, allocated by `start`, is released with free(). */
struct kind {
    const char *name; /* the constant's, for messages */
    int type;
    enum raw_format format;
    bool quasi, takes_offset;
    unsigned orders; /* bit i: takes the ordering ORDER_BEST + i */

    /* The state at the position of the options; NULL when there is no memory. */
    void *(*start)(const struct kind *kind, const struct options *options);

    /* Writes `count` results of the distribution into `results` and goes on by as much. The count is a multiple of the
     * results of a draw and, of a quasirandom generator, of the dimensions. Returns by how much the generator's offset
     * grows, which is where it starts from if its seed or ordering is set later. */
    uint64_t (*fill)(void *state, const struct distribution *distribution, void *results, size_t count);

    const struct lanes_kind *lanes; /* lanes.h: what lanes_start and lanes_fill ask for; else NULL */
};

extern const struct kind xorwow, mrg32k3a, philox4_32_10, sobol32, sobol64;

/* The kind of that type; NULL for none that is offered. */
const struct kind *kind_find(int type);

#endif
