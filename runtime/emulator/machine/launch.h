/* Running one grid to its end. The entry points only check handles: every launch limit is checked here, so that a
 * refused launch becomes a finding as well as a status. */
#ifndef EMULATOR_LAUNCH_H
#define EMULATOR_LAUNCH_H

#include "runtime/emulator/machine/launch_request.h"

/* Runs the grid. Device printf goes to stdout when the grid has ended. Findings go to their sink before this returns. */
enum launch_status launch_run(const struct launch_request *request);

/* Only checks the limits, as launch_run does first, for a launch that comes later; `parameters` is not looked at. LAUNCH_OK,
 * or what refuses it, as a finding. */
enum launch_status launch_check(const struct launch_request *request);

/* How many blocks of the function fit one multiprocessor, by threads, registers, shared memory and blocks (occupancy).
 * 0 when one block does not fit at all. */
uint32_t launch_blocks_per_multiprocessor(const struct program_function *function, const struct profile *profile,
                                          uint32_t threads, uint32_t dynamic_shared_bytes);

#endif
