/* The limits of a launch. The entry points only check handles: every limit is checked here, so that a refused launch
 * becomes a finding as well as a status. */
#ifndef EMULATOR_LAUNCH_LIMITS_H
#define EMULATOR_LAUNCH_LIMITS_H

#include "runtime/emulator/machine/launch_request.h"
#include "runtime/emulator/machine/warp.h"

/* Only checks the limits, as launch_run does first, for a launch that comes later; `parameters` is not looked at. LAUNCH_OK,
 * or what refuses it, as a finding (request->refusal). */
enum launch_status launch_limits_check(const struct launch_request *request);

/* The same for a launch that begins: sets how many blocks, threads and warps it has, and its clusters. */
enum launch_status launch_limits_apply(struct launch *launch);

/* Reports a launch that is refused. Returns the status. */
enum launch_status launch_limits_refuse(struct launch *launch, enum launch_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What a block is given of which it uses `bytes`: shared memory comes in granules of 128 bytes. */
uint64_t launch_limits_shared(uint64_t bytes);

/* How many blocks of the function fit one multiprocessor, by threads, registers, shared memory and blocks (occupancy).
 * 0 when one block does not fit at all. */
uint32_t launch_limits_blocks(const struct program_function *function, const struct profile *profile, uint32_t threads,
                              uint32_t dynamic_shared_bytes);

#endif
