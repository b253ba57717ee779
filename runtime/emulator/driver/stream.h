/* Streams. Work runs when it is issued, in the order of the calls: a schedule that every combination of streams and events
 * allows, so a stream needs to remember only what it was asked to be. Under the schedule "late", late.h keeps the work. */
#ifndef EMULATOR_STREAM_H
#define EMULATOR_STREAM_H

#include <stdbool.h>

#include "runtime/cuda/driver_api.h"

#define STREAM_PRIORITY_LEAST    0
#define STREAM_PRIORITY_GREATEST (-5)

struct context;

/* Destroys all streams of a context. */
void stream_destroy_all(const struct context *context);

/* Like driver_enter, but also demands a live stream or a default one: NULL, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD
 * (INVALID_HANDLE otherwise).
 *   context   out: that of the stream, which need not be current; of a default stream the current one */
CUresult stream_enter(CUstream handle, struct context **context);

/* The same for a call that puts work into the stream: while the stream is captured, the work is recorded and not done.
 *   recorded   out: there is nothing left to do */
struct stream_work;
CUresult stream_submit(CUstream handle, struct stream_work *work, struct context **context, bool *recorded);

/* That second half: puts work into a stream that was entered. */
CUresult stream_put(CUstream handle, struct context *context, struct stream_work *work, bool *recorded);

/* The live stream was made with CU_STREAM_NON_BLOCKING? Default streams were not. */
bool stream_is_blocking(CUstream handle);

/* Is it one of the handles of default streams? */
bool stream_is_default(CUstream handle);

#endif
