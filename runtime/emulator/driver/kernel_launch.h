/* Launching, for the files that define entry points which launch. */
#ifndef EMULATOR_KERNEL_LAUNCH_H
#define EMULATOR_KERNEL_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/driver/stream_work.h"

struct context;

/* Runs a launch in the context, whose stream it is. A failure in the kernel is returned by the next call. Expects the
 * driver's lock to be held, as do the others. */
CUresult kernel_launch_run(struct context *context, const struct kernel_launch *call);

/* The two halves of it, for a launch that happens later than its call.
 *
 * Copies the parameters of a call into a block of their own, as the kernel reads them.
 *   kernel   out: what is launched
 *   block    out: [kernel's parameter_bytes, at least 1], owned by the caller: free it
 * Returns INVALID_HANDLE, INVALID_VALUE with a finding, or OUT_OF_MEMORY. */
struct function;
CUresult kernel_launch_gather(const struct context *context, const struct kernel_launch *call,
                              const struct function **kernel, uint8_t **block);

/* Checks the limits of the device and the kernel: what refuses a launch, as a finding. */
CUresult kernel_launch_check(struct context *context, const struct kernel_launch *call);

/* How a launch is done later than its call, for who puts it into a stream. */
extern const struct work_manner kernel_launch_manner;

/* Launches with such a block; call->parameters and call->extra do not count. The record of calls (call_log.h) has it. */
CUresult kernel_launch_run_block(struct context *context, const struct kernel_launch *call, const uint8_t *block);

#endif
