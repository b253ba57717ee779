/* Sobol' sequences: direction vectors, as programs may ask for them too. */
#ifndef EMULATOR_CURAND_SOBOL_H
#define EMULATOR_CURAND_SOBOL_H

#include <stdint.h>

/* Offered of cuRAND's 20000. */
enum { SOBOL_DIMENSIONS = 1024, SOBOL_DOCUMENTED_DIMENSIONS = 20000 };

/* The direction vectors of each dimension: [SOBOL_DIMENSIONS][32] and [SOBOL_DIMENSIONS][64], valid until the process
 * ends. After the last one that is offered lies memory that cannot be read, up to the last one that is documented. NULL
 * when there is no memory. */
uint32_t (*sobol_vectors_32(void))[32];
uint64_t (*sobol_vectors_64(void))[64];

#endif
