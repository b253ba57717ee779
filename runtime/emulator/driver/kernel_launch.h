/* Launching, for the files that define entry points which launch. */
#ifndef EMULATOR_KERNEL_LAUNCH_H
#define EMULATOR_KERNEL_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/cuda/driver_api.h"

struct context;

struct kernel_launch {
    CUfunction function;
    uint32_t grid[3], block[3];
    uint32_t shared_bytes;
    CUstream stream;
    void **parameters, **extra; /* as cuLaunchKernel takes them: one of the two, or neither */
    bool cooperative;
};

/* Runs a launch in the context, whose stream it is. A failure in the kernel is returned by the next call. Expects the
 * driver's lock to be held. */
CUresult kernel_launch_run(struct context *context, const struct kernel_launch *call);

#endif
