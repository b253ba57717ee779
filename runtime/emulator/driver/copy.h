/* Copies, for the files that copy on behalf of another call. */
#ifndef EMULATOR_COPY_H
#define EMULATOR_COPY_H

#include "runtime/cuda/driver_api.h"

/* Copies a box between any two of host and device memory, with the checks and findings of cuMemcpy3D.
 *   call   name of the entry point, for findings
 * Expects the driver's lock to be held. Returns INVALID_VALUE for a range that does not fit. */
CUresult copy_box_run(const char *call, const CUDA_MEMCPY3D *request);

#endif
