/* Streams. Work runs when it is issued, in the order of the calls: a schedule that every combination of streams and events
 * allows, so a stream needs to remember only what it was asked to be. */
#ifndef EMULATOR_STREAM_H
#define EMULATOR_STREAM_H

#include <stdbool.h>

#include "runtime/driver_api.h"

#define STREAM_PRIORITY_LEAST 0
#define STREAM_PRIORITY_GREATEST (-5)

struct context;

/* Is this a stream that work of `context` may be put into: a live one of that context, or a default stream (NULL,
 * CU_STREAM_LEGACY, CU_STREAM_PER_THREAD)? Expects the driver's lock to be held. */
bool stream_is_usable(CUstream handle, const struct context *context);

/* Destroys all streams of a context. */
void stream_destroy_all(const struct context *context);

/* As driver_enter, and demands a usable stream (INVALID_HANDLE otherwise). */
CUresult stream_enter(CUstream handle, struct context **context);

#endif
