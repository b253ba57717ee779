/* Events: marks with a time of the host's monotonic clock. */
#ifndef EMULATOR_EVENT_H
#define EMULATOR_EVENT_H

#include <stdbool.h>

#include "runtime/cuda/driver_api.h"

struct context;

/* Is this a live event? Expects the driver's lock to be held, as do the others. */
bool event_exists(CUevent handle);

/* The flags that it was made with; 0 for what is not a live event. */
unsigned event_flags(CUevent handle);

/* Has it been recorded? False for what is not a live event. */
bool event_is_recorded(CUevent handle);

/* Marks the event as reached now, by the piece of work that runs. Returns false when the handle is not a live event of
 * the stream's context. */
bool event_record(CUevent handle, const struct context *context);

/* Marks it behind what is in the stream. INVALID_HANDLE when it is not a live event of the stream's context. */
CUresult event_record_in(CUevent handle, struct context *context, CUstream stream);

/* The piece of work that runs waits for it. */
void event_wait(CUevent handle);

/* Destroys all events of a context. */
void event_destroy_all(const struct context *context);

#endif
