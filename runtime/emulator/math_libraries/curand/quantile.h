/* The quantile function of the standard normal distribution (the inverse of its cumulative distribution function). */
#ifndef EMULATOR_CURAND_QUANTILE_H
#define EMULATOR_CURAND_QUANTILE_H

#include <stdint.h>

/* Of a probability in (0, 1), to a few units in the last place of a double. */
double quantile(double probability);

/* Of the probability (bits + 1/2) / 2^32, as cuRAND computes it: by symmetry from the smaller half, in single precision. */
float quantile_32(uint32_t bits);

#endif
