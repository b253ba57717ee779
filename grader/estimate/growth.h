/* How a number grows with the size of a problem, from a few sizes at which it was counted. */
#ifndef ESTIMATE_GROWTH_H
#define ESTIMATE_GROWTH_H

#include <stddef.h>

/* The value at `size`, from `count` points (at least one) whose sizes grow by the same factor.
 * Three points: a + b * size^p goes through them, and p may be anything from -2 to 3; so what stays, what grows with the
 * size, its square or its logarithm, and the small share of a last, partly filled block are each followed as what they are.
 * What grows faster than the cube is a loop that has just begun to turn, and is followed by a straight line.
 * Two: a straight line, or a power if it grows faster than that. One: it stays. Never below 0. */
double growth_at(const double sizes[], const double values[], size_t count, double size);

#endif
