/* From the raw numbers of a generator to the results of a distribution. */
#ifndef EMULATOR_CURAND_DISTRIBUTION_H
#define EMULATOR_CURAND_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a kind of generator hands over, and how many of it a result takes. The number of each is that of its row in
 * distribution.c. */
enum raw_format {
    RAW_PAIRED, /* 32 bits; two make a double, two make two normal results (XORWOW, Philox) */
    RAW_MRG,    /* 1 ... 4294967087 (MRG32k3a); two make two normal results */
    RAW_32,     /* 32 bits; each makes one result of any distribution (Sobol' 32) */
    RAW_64,     /* 64 bits, likewise (Sobol' 64) */
    RAW_FORMATS
};

enum law {
    LAW_BITS, /* unsigned int */
    LAW_LONG, /* unsigned long long */
    LAW_UNIFORM,
    LAW_UNIFORM_DOUBLE,
    LAW_NORMAL,
    LAW_NORMAL_DOUBLE,
    LAW_LOG_NORMAL,
    LAW_LOG_NORMAL_DOUBLE,
    LAWS
};

enum { MOST_RAW = 4, MOST_RESULTS = 2 }; /* of a draw */

/* A distribution with its parameters. A draw takes `raw_count` raw numbers and makes `result_count` results of `size`
 * bytes. */
struct distribution {
    unsigned raw_count, result_count;
    size_t size;
    void (*make)(const struct distribution *distribution, const uint64_t *raw, void *results);
    double mean, deviation;
    bool by_halves; /* each result takes a pair, of which it uses one; where lanes take turns (lanes.h) */
    enum raw_format format;
    const struct poisson_table *table; /* of a Poisson distribution, borrowed; else NULL */
};

/* The 32 bits that cuRAND makes of a raw number of MRG32k3a. */
uint32_t mrg_bits(uint64_t raw);

/* The distribution of that law, for raw numbers of that format. `make` is NULL if there is none: 64 random bits from a
 * generator of 32, or the other way round. */
struct distribution distribution_of(enum law law, enum raw_format format, double mean, double deviation);

#endif
