/* How an epoch of shared memory is remembered, so that the next one like it costs less: see race_trace.c. */
#ifndef EMULATOR_RACE_TRACE_H
#define EMULATOR_RACE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/observe/races/race_epoch_state.h"

struct races;
struct race_block;

/* Is the request the next one in the trace that the epoch follows? The first request of an epoch looks for a trace. delta:
 * [32] places of the lanes, bytes from request->base. Returns false when the epoch follows none, or not any more. */
bool race_trace_follow(struct races *races, struct race_block *block, const struct race_request *request,
                       const uint32_t *delta);

/* The epoch leaves the trace, or must know its requests: records those that it had in common with the trace. tell: enters
 * them into the units too. */
void race_trace_leave(struct races *races, struct race_block *block, bool tell);

/* The epoch is over: it is kept if all of it was recorded. */
void race_trace_end(struct race_epoch *epoch);

void race_trace_free(struct race_epoch *epoch);

#endif
