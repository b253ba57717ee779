/* Poisson distributions. */
#ifndef EMULATOR_CURAND_POISSON_H
#define EMULATOR_CURAND_POISSON_H

enum { MOST_LAMBDA = 400000 };

#endif
