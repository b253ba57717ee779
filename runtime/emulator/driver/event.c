#include "runtime/emulator/driver/event.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/emulator/driver/call_log.h"
#include "runtime/emulator/driver/capture_port.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/handle.h"
#include "runtime/emulator/driver/late.h"
#include "runtime/emulator/driver/order.h"
#include "runtime/emulator/driver/stream.h"
#include "runtime/emulator/driver/stream_work.h"
#include "runtime/emulator/driver/unordered.h"

struct event {
    CUevent handle;
    const struct context *context;
    unsigned flags;
    bool recorded;
    uint64_t time_ns;
    struct order_clock *clock; /* what is complete when it has been reached; NULL: unknown, or never recorded */
};

bool event_exists(CUevent handle)
{
    return handle_find(handle, HANDLE_EVENT) != NULL;
}

unsigned event_flags(CUevent handle)
{
    const struct event *event = handle_find(handle, HANDLE_EVENT);
    return event ? event->flags : 0;
}

bool event_is_recorded(CUevent handle)
{
    const struct event *event = handle_find(handle, HANDLE_EVENT);
    return event && event->recorded;
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The event, recorded now; NULL when it is not one of the context. */
static struct event *record(CUevent handle, const struct context *context)
{
    struct event *event = handle_find(handle, HANDLE_EVENT);
    if (!event || event->context != context)
        return NULL;
    event->recorded = true;
    event->time_ns = now_ns();
    return event;
}

bool event_record(CUevent handle, const struct context *context)
{
    struct event *event = record(handle, context);
    if (event)
        order_record_now(&event->clock);
    return event != NULL;
}

void event_wait(CUevent handle)
{
    const struct event *event = handle_find(handle, HANDLE_EVENT);
    if (event && event->recorded)
        order_wait_now(event->clock);
}

static CUresult prepare(struct context *context, struct stream_work *work, void **memory, bool *at_once)
{
    (void)context;
    (void)work;
    *memory = NULL;
    *at_once = false;
    return CUDA_SUCCESS;
}

/* The event, recorded before, is reached now, if it still lives. */
static void reach(struct context *context, const struct stream_work *work, void *memory)
{
    (void)context;
    (void)memory;
    struct event *event = handle_find(work->event, HANDLE_EVENT);
    if (event)
        event->time_ns = now_ns();
}

static const struct work_manner manner = {.prepare = prepare, .run = reach, .is_mark = true};

CUresult event_record_in(CUevent handle, struct context *context, CUstream stream)
{
    bool taken;
    struct stream_work work = {.manner = &manner, .type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .event = handle};
    struct event *event = record(handle, context);
    if (!event)
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult result = CUDA_SUCCESS;
    if (late_is_on()) { /* a piece of work with a time of its own */
        unordered_begin(stream, context);
        result = late_put(context, &work, &taken);
    }
    order_record(stream, context, &event->clock);
    return result;
}

static void wait_in(CUevent handle, const struct context *context, CUstream stream)
{
    const struct event *event = handle_find(handle, HANDLE_EVENT);
    if (event && event->recorded)
        order_wait(stream, context, event->clock);
}

static void destroy(struct event *event)
{
    if (capture_port)
        capture_port->forget_event(event->handle);
    handle_destroy(event->handle);
    free(event->clock);
    free(event);
}

void event_destroy_all(const struct context *context)
{
    size_t cursor = 0;
    struct event *event;
    while ((event = handle_next(HANDLE_EVENT, context, &cursor)))
        destroy(event);
}

static CUresult create(const struct context *context, CUevent *handle, unsigned flags)
{
    const unsigned known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
    if (!handle || flags & ~known)
        return CUDA_ERROR_INVALID_VALUE;
    if (flags & CU_EVENT_INTERPROCESS && !(flags & CU_EVENT_DISABLE_TIMING))
        return CUDA_ERROR_INVALID_VALUE;
    struct event *event = malloc(sizeof *event);
    if (!event)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *event = (struct event){.context = context, .flags = flags};
    event->handle = handle_create(HANDLE_EVENT, event, context);
    if (!event->handle) {
        free(event);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *handle = event->handle;
    return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent *handle, unsigned flags)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    return driver_leave(result == CUDA_SUCCESS ? create(context, handle, flags) : result);
}

CUresult cuEventDestroy_v2(CUevent handle)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    struct event *event = result == CUDA_SUCCESS ? handle_find(handle, HANDLE_EVENT) : NULL;
    if (event)
        destroy(event);
    else if (result == CUDA_SUCCESS)
        result = CUDA_ERROR_INVALID_HANDLE;
    return driver_leave(result);
}
DRIVER_SAME(cuEventDestroy, cuEventDestroy_v2);

CUresult cuEventRecordWithFlags(CUevent handle, CUstream stream, unsigned flags)
{
    struct context *context;
    CUresult result = stream_enter(stream, &context);
    if (result == CUDA_SUCCESS && flags > 1)
        result = CUDA_ERROR_INVALID_VALUE;
    bool recorded = false;
    if (result == CUDA_SUCCESS && capture_port && event_exists(handle))
        result = capture_port->record(stream, context, handle, flags, &recorded);
    if (result == CUDA_SUCCESS && !recorded)
        result = event_record_in(handle, context, stream);
    return driver_leave(result);
}
DRIVER_SAME(cuEventRecordWithFlags_ptsz, cuEventRecordWithFlags);

CUresult cuEventRecord(CUevent handle, CUstream stream)
{
    return cuEventRecordWithFlags(handle, stream, 0);
}
DRIVER_SAME(cuEventRecord_ptsz, cuEventRecord);

CUresult cuStreamWaitEvent(CUstream handle, CUevent event, unsigned flags)
{
    struct context *context;
    CUresult result = stream_enter(handle, &context);
    if (result == CUDA_SUCCESS && flags > 1)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && !event_exists(event))
        result = CUDA_ERROR_INVALID_HANDLE;
    bool recorded = false;
    if (result == CUDA_SUCCESS && capture_port)
        result = capture_port->wait(handle, context, event, flags, &recorded);
    if (result == CUDA_SUCCESS && !recorded)
        wait_in(event, context, handle);
    return driver_leave(result); /* what was recorded has been done already */
}
DRIVER_SAME(cuStreamWaitEvent_ptsz, cuStreamWaitEvent);

static void host_waits(const struct event *event)
{
    if (!event->recorded)
        return;
    order_host_event(event->clock);
    unordered_settle();
}

/* Waits for an event, or asks whether it has been reached; one that was never recorded counts as reached. */
static CUresult check(CUevent handle, bool only_asks)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS && !event_exists(handle))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS)
        result = capture_allow_event(handle);
    if (result == CUDA_SUCCESS)
        result = call_log_begin(CALL_wait);
    const struct event *event = result == CUDA_SUCCESS ? handle_find(handle, HANDLE_EVENT) : NULL;
    if (event && only_asks && event->recorded && !late_is_done(event->clock))
        return driver_leave(CUDA_ERROR_NOT_READY);
    if (event)
        host_waits(event);
    return driver_leave(result == CUDA_SUCCESS ? context->failure : result);
}

CUresult cuEventQuery(CUevent handle)
{
    return check(handle, true);
}

CUresult cuEventSynchronize(CUevent handle)
{
    return check(handle, false);
}

static CUresult elapsed(float *milliseconds, CUevent start_handle, CUevent stop_handle)
{
    const struct event *start = handle_find(start_handle, HANDLE_EVENT);
    const struct event *stop = handle_find(stop_handle, HANDLE_EVENT);
    if (!milliseconds)
        return CUDA_ERROR_INVALID_HANDLE; /* as NVIDIA's driver does */
    if (!start || !stop || !start->recorded || !stop->recorded || (start->flags | stop->flags) & CU_EVENT_DISABLE_TIMING)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!late_is_done(start->clock) || !late_is_done(stop->clock))
        return CUDA_ERROR_NOT_READY;
    host_waits(start);
    host_waits(stop);
    int64_t difference_ns = (int64_t)(stop->time_ns - start->time_ns);
    *milliseconds = (float)((double)difference_ns / 1e6);
    return CUDA_SUCCESS;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent stop)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    return driver_leave(result == CUDA_SUCCESS ? elapsed(milliseconds, start, stop) : result);
}
DRIVER_SAME(cuEventElapsedTime_v2, cuEventElapsedTime);
