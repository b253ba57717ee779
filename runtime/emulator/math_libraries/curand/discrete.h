/* A Poisson distribution in device memory, for kernels that call curand_discrete. */
#ifndef EMULATOR_CURAND_DISCRETE_H
#define EMULATOR_CURAND_DISCRETE_H

#include <stdint.h>

#include "runtime/emulator/math_libraries/curand/poisson.h"

/* Copies the table to device memory of the current context (of device 0's primary context where none is current), in the
 * layout that the device API reads. Returns its address, to be released with discrete_destroy; 0 when the driver is not
 * loaded or has no memory. */
uint64_t discrete_create(const struct poisson_table *table);

/* Returns 0, or -1 for an address that discrete_create has not given or that is released already. */
int discrete_destroy(uint64_t address);

#endif
