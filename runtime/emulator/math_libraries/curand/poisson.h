/* Poisson distributions: a table that maps a uniform number to a result (Vose's alias method in the form of the square
 * histogram: G. Marsaglia, W. W. Tsang, J. Wang, Fast generation of discrete random variables, Journal of Statistical
 * Software 11 (3), 2004), or a rounded normal distribution where the mean is large. */
#ifndef EMULATOR_CURAND_POISSON_H
#define EMULATOR_CURAND_POISSON_H

#include <stdint.h>

#include "runtime/emulator/math_libraries/curand/distribution.h"

enum { MOST_LAMBDA = 400000 };

/* Column j of the histogram, of width 1 / length, is divided at `divide[j]`: below it the result is first + j, above it
 * first + other[j]. */
struct poisson_table {
    double lambda, deviation; /* `deviation` 0: by the table */
    uint32_t first, length;
    double *divide;
    uint32_t *other;
    double *cumulative; /* NULL, or the probability of first + j and less: for results that grow with the uniform number */
};

/* The table of 0 < lambda <= MOST_LAMBDA, for raw numbers of that format. Release with poisson_destroy. NULL when memory is
 * short. */
struct poisson_table *poisson_create(double lambda, enum raw_format format);
void poisson_destroy(struct poisson_table *table);

/* The distribution for raw numbers of that format; it borrows the table. */
struct distribution poisson_distribution(const struct poisson_table *table, enum raw_format format);

#endif
