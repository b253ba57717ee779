/* Fills, for the files that fill memory on behalf of another call. */
#ifndef EMULATOR_SET_H
#define EMULATOR_SET_H

#include "runtime/cuda/driver_api.h"

/* Sets rows of elements of 1, 2 or 4 bytes, with the checks and findings of cuMemsetD2D….
 *   call   name of the entry point, for findings
 * Expects the driver's lock to be held. Returns INVALID_VALUE for a range that does not fit or is not aligned. */
CUresult set_run(const char *call, const CUDA_MEMSET_NODE_PARAMS *wanted);

#endif
