/* Copies, for the files that copy on behalf of another call. */
#ifndef EMULATOR_COPY_H
#define EMULATOR_COPY_H

#include <stdbool.h>

#include "runtime/cuda/driver_api.h"

/* What a copy would be. */
struct copy_look {
    bool enters;          /* given: what it reads and writes is recorded (unordered.h) */
    bool is_waited_for;   /* it has been done when the call returns */
    bool reads_unshared;  /* its source is memory of the host that the driver does not know: read when the call returns */
    bool touches_nothing; /* there is no byte to copy */
};

/* Checks a copy without making it. Returns INVALID_VALUE for a range that does not fit, with a finding. */
CUresult copy_box_look(const char *call, const CUDA_MEMCPY3D *request, struct copy_look *look);

/* Copies a box between any two of host and device memory, with the checks and findings of cuMemcpy3D.
 *   call   name of the entry point, for findings
 * Expects the driver's lock to be held. Returns INVALID_VALUE for a range that does not fit. */
CUresult copy_box_run(const char *call, const CUDA_MEMCPY3D *request);

#endif
