#include "runtime/emulator/driver/stream.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/driver/call_log.h"
#include "runtime/emulator/driver/capture_port.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/handle.h"
#include "runtime/emulator/driver/late.h"
#include "runtime/emulator/driver/order.h"
#include "runtime/emulator/driver/stream_work.h"
#include "runtime/emulator/driver/unordered.h"

struct stream {
    CUstream handle;
    struct context *context;
    unsigned flags;
    int priority;
    uint64_t id;
    CUlaunchAttributeValue attributes[STREAM_ATTRIBUTE_COUNT]; /* by number */
};

/* The default streams have the lowest numbers. */
static uint64_t last_id = 2;

bool stream_is_default(CUstream handle)
{
    return !handle || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD;
}

CUresult stream_enter(CUstream handle, struct context **context)
{
    CUresult result = driver_enter(context);
    if (result != CUDA_SUCCESS || stream_is_default(handle))
        return result;
    const struct stream *stream = handle_find(handle, HANDLE_STREAM);
    if (!stream)
        return CUDA_ERROR_INVALID_HANDLE;
    *context = stream->context;
    memory_choose_device(driver.memory, (unsigned)stream->context->device);
    return stream->context->failure;
}

CUresult stream_submit(CUstream handle, struct stream_work *work, struct context **context, bool *recorded)
{
    *recorded = false;
    CUresult result = stream_enter(handle, context);
    return result == CUDA_SUCCESS ? stream_put(handle, *context, work, recorded) : result;
}

CUresult stream_put(CUstream handle, struct context *context, struct stream_work *work, bool *recorded)
{
    CUresult result = capture_port ? capture_port->submit(handle, context, work, recorded) : CUDA_SUCCESS;
    if (result == CUDA_SUCCESS && !*recorded) {
        unordered_begin(handle, context);
        if (work->type == CU_GRAPH_NODE_TYPE_KERNEL || work->type == CU_GRAPH_NODE_TYPE_MEMCPY)
            result = call_log_begin(work->type == CU_GRAPH_NODE_TYPE_KERNEL ? CALL_launch : CALL_copy);
        if (result == CUDA_SUCCESS)
            result = late_put(context, work, recorded);
    }
    return result;
}

bool stream_is_blocking(CUstream handle)
{
    const struct stream *stream = handle_find(handle, HANDLE_STREAM);
    return !stream || !(stream->flags & CU_STREAM_NON_BLOCKING);
}

static void destroy(struct stream *stream)
{
    if (capture_port)
        capture_port->forget_stream(stream->handle);
    order_destroy_stream(stream->handle);
    handle_destroy(stream->handle);
    free(stream);
}

void stream_destroy_all(const struct context *context)
{
    size_t cursor = 0;
    struct stream *stream;
    while ((stream = handle_next(HANDLE_STREAM, context, &cursor)))
        destroy(stream);
}

/* A priority outside the range is moved to its nearer end, not refused. */
static int clamp_priority(int priority)
{
    if (priority > STREAM_PRIORITY_LEAST)
        return STREAM_PRIORITY_LEAST;
    return priority < STREAM_PRIORITY_GREATEST ? STREAM_PRIORITY_GREATEST : priority;
}

static CUresult create(struct context *context, CUstream *handle, unsigned flags, int priority)
{
    if (!handle || flags & ~(unsigned)CU_STREAM_NON_BLOCKING)
        return CUDA_ERROR_INVALID_VALUE;
    struct stream *stream = malloc(sizeof *stream);
    if (!stream)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *stream = (struct stream){.context = context, .flags = flags, .priority = clamp_priority(priority), .id = ++last_id};
    stream->handle = handle_create(HANDLE_STREAM, stream, context);
    if (!stream->handle) {
        free(stream);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    order_create_stream(stream->handle, context, !(flags & CU_STREAM_NON_BLOCKING));
    *handle = stream->handle;
    return CUDA_SUCCESS;
}

CUresult cuStreamCreateWithPriority(CUstream *handle, unsigned flags, int priority)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    return driver_leave(result == CUDA_SUCCESS ? create(context, handle, flags, priority) : result);
}

CUresult cuStreamCreate(CUstream *handle, unsigned flags)
{
    return cuStreamCreateWithPriority(handle, flags, 0);
}

CUresult cuStreamDestroy_v2(CUstream handle)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS) {
        struct stream *stream = handle_find(handle, HANDLE_STREAM);
        if (stream)
            destroy(stream);
        else
            result = CUDA_ERROR_INVALID_HANDLE; /* the default streams cannot be destroyed */
    }
    return driver_leave(result);
}
DRIVER_SAME(cuStreamDestroy, cuStreamDestroy_v2);

/* Waits for a stream, or asks whether its work is done; then the answer counts as waiting. */
static CUresult wait_for(CUstream handle, bool only_asks)
{
    struct context *context;
    struct order_clock clock;
    CUresult result = stream_enter(handle, &context);
    if (result == CUDA_SUCCESS)
        result = capture_allow(CAPTURE_CALL_STREAM, handle);
    if (result == CUDA_SUCCESS)
        result = call_log_begin(CALL_wait);
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    order_find_clock(handle, context, &clock);
    if (only_asks && !late_is_done(&clock))
        return driver_leave(CUDA_ERROR_NOT_READY);
    order_host_stream(handle, context);
    unordered_settle();
    return driver_leave(context->failure);
}

CUresult cuStreamQuery(CUstream handle)
{
    return wait_for(handle, true);
}
DRIVER_SAME(cuStreamQuery_ptsz, cuStreamQuery);

CUresult cuStreamSynchronize(CUstream handle)
{
    return wait_for(handle, false);
}
DRIVER_SAME(cuStreamSynchronize_ptsz, cuStreamSynchronize);

CUresult cuStreamGetCtx(CUstream handle, CUcontext *context_handle)
{
    struct context *context;
    CUresult result = stream_enter(handle, &context);
    if (result == CUDA_SUCCESS && !context_handle)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *context_handle = context->handle;
    return driver_leave(result);
}
DRIVER_SAME(cuStreamGetCtx_ptsz, cuStreamGetCtx);

/* Enters and looks the stream up; *stream is NULL for a default stream. */
static CUresult enter_query(CUstream handle, const void *output, const struct stream **stream)
{
    struct context *context;
    CUresult result = stream_enter(handle, &context);
    if (result == CUDA_SUCCESS && !output)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *stream = handle_find(handle, HANDLE_STREAM);
    return result;
}

CUresult cuStreamGetFlags(CUstream handle, unsigned *flags)
{
    const struct stream *stream;
    CUresult result = enter_query(handle, flags, &stream);
    if (result == CUDA_SUCCESS)
        *flags = stream ? stream->flags : CU_STREAM_DEFAULT;
    return driver_leave(result);
}
DRIVER_SAME(cuStreamGetFlags_ptsz, cuStreamGetFlags);

CUresult cuStreamGetPriority(CUstream handle, int *priority)
{
    const struct stream *stream;
    CUresult result = enter_query(handle, priority, &stream);
    if (result == CUDA_SUCCESS)
        *priority = stream ? stream->priority : STREAM_PRIORITY_LEAST;
    return driver_leave(result);
}
DRIVER_SAME(cuStreamGetPriority_ptsz, cuStreamGetPriority);

CUresult cuStreamGetId(CUstream handle, unsigned long long *id)
{
    const struct stream *stream;
    CUresult result = enter_query(handle, id, &stream);
    if (result == CUDA_SUCCESS)
        *id = stream ? stream->id : handle == CU_STREAM_PER_THREAD ? 2 : 1;
    return driver_leave(result);
}
DRIVER_SAME(cuStreamGetId_ptsz, cuStreamGetId);

CUresult cuStreamGetDevice(CUstream handle, CUdevice *device)
{
    struct context *context;
    CUresult result = stream_enter(handle, &context);
    if (result == CUDA_SUCCESS && !device)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *device = context->device;
    return driver_leave(result);
}
DRIVER_SAME(cuStreamGetDevice_ptsz, cuStreamGetDevice);

/* Attributes are hints, kept so that they can be read back: the emulated caches do not look at them. */
static bool attribute_exists(CUlaunchAttributeID attribute)
{
    switch (attribute) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN: return true;
    default: return false;
    }
}

static bool value_fits(CUlaunchAttributeID attribute, const CUlaunchAttributeValue *value)
{
    enum { PERSISTING = 2, MOST_BYTES = 134217728, MOST_POLICY = 4 };
    switch (attribute) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        return value->accessPolicyWindow.hitRatio >= 0 && value->accessPolicyWindow.hitRatio <= 1
               && value->accessPolicyWindow.num_bytes <= MOST_BYTES
               && (unsigned)value->accessPolicyWindow.hitProp <= PERSISTING
               && (unsigned)value->accessPolicyWindow.missProp < PERSISTING;
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY: return value->syncPolicy >= 1 && value->syncPolicy <= MOST_POLICY;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN: return value->memSyncDomain == 0 || value->memSyncDomain == 1;
    default: return true;
    }
}

/* Enters and finds where the attributes of the stream are kept; *stream is NULL for a default stream. */
static CUresult enter_attribute(CUstream handle, CUlaunchAttributeID attribute, const void *value, struct stream **stream,
                                CUlaunchAttributeValue **attributes)
{
    struct context *context;
    CUresult result = stream_enter(handle, &context);
    if (result == CUDA_SUCCESS && (!value || !attribute_exists(attribute)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    *stream = handle_find(handle, HANDLE_STREAM);
    *attributes = *stream ? (*stream)->attributes : context->default_stream;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetAttribute(CUstream handle, CUlaunchAttributeID attribute, CUlaunchAttributeValue *value)
{
    struct stream *stream;
    CUlaunchAttributeValue *attributes;
    CUresult result = enter_attribute(handle, attribute, value, &stream, &attributes);
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    memcpy(value, &attributes[attribute], sizeof *value);
    if (attribute == CU_LAUNCH_ATTRIBUTE_PRIORITY)
        value->priority = stream ? stream->priority : STREAM_PRIORITY_LEAST;
    else if (attribute == CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY && value->syncPolicy == 0)
        value->syncPolicy = -1; /* never set: as an H200 says */
    return driver_leave(CUDA_SUCCESS);
}
DRIVER_SAME(cuStreamGetAttribute_ptsz, cuStreamGetAttribute);

CUresult cuStreamSetAttribute(CUstream handle, CUlaunchAttributeID attribute, const CUlaunchAttributeValue *value)
{
    struct stream *stream;
    CUlaunchAttributeValue *attributes;
    CUresult result = enter_attribute(handle, attribute, value, &stream, &attributes);
    if (result == CUDA_SUCCESS && !value_fits(attribute, value))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    memcpy(&attributes[attribute], value, sizeof *value);
    if (attribute == CU_LAUNCH_ATTRIBUTE_PRIORITY && stream)
        stream->priority = clamp_priority(value->priority);
    return driver_leave(CUDA_SUCCESS);
}
DRIVER_SAME(cuStreamSetAttribute_ptsz, cuStreamSetAttribute);

CUresult cuStreamCopyAttributes(CUstream target, CUstream source)
{
    struct stream *to, *from;
    CUlaunchAttributeValue *target_values, *source_values;
    const CUlaunchAttributeID any = CU_LAUNCH_ATTRIBUTE_PRIORITY;
    CUresult result = enter_attribute(source, any, &from, &from, &source_values);
    driver_leave(result);
    if (result != CUDA_SUCCESS)
        return result;
    result = enter_attribute(target, any, &to, &to, &target_values);
    if (result == CUDA_SUCCESS)
        memcpy(target_values, source_values, STREAM_ATTRIBUTE_COUNT * sizeof *target_values);
    return driver_leave(result);
}
DRIVER_SAME(cuStreamCopyAttributes_ptsz, cuStreamCopyAttributes);

struct callback {
    CUstreamCallback function;
    CUstream stream;
    void *user_data;
};

static void run_callback(void *data)
{
    const struct callback *callback = data;
    callback->function(callback->stream, CUDA_SUCCESS, callback->user_data);
}

/* What the function makes known, to another thread of the host perhaps, is not seen: the host counts as having waited for
 * it. */
static void call_back(void (*function)(void *), void *data)
{
    order_host_now();
    unordered_settle();
    driver_call_back(function, data);
}

static CUresult prepare(struct context *context, struct stream_work *work, void **memory, bool *at_once)
{
    (void)context;
    *at_once = false;
    if (work->host_bytes == 0)
        return CUDA_SUCCESS;
    *memory = malloc(work->host_bytes);
    if (!*memory)
        return CUDA_ERROR_OUT_OF_MEMORY;
    work->host.userData = memcpy(*memory, work->host.userData, work->host_bytes);
    return CUDA_SUCCESS;
}

static void run_later(struct context *context, const struct stream_work *work, void *memory)
{
    (void)context;
    (void)memory;
    call_back(work->host.fn, work->host.userData);
}

static const struct work_manner manner = {.prepare = prepare, .run = run_later};

CUresult cuStreamAddCallback(CUstream handle, CUstreamCallback function, void *user_data, unsigned flags)
{
    struct context *context;
    CUresult result = stream_enter(handle, &context);
    if (result == CUDA_SUCCESS && (!function || flags != 0))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = capture_port && capture_port->is_captured(handle) ? capture_allow(CAPTURE_CALL_STREAM, handle) : result;
    if (result == CUDA_SUCCESS) {
        bool taken;
        struct callback callback = {function, handle, user_data};
        struct stream_work work = {.manner = &manner,
                                   .type = CU_GRAPH_NODE_TYPE_HOST,
                                   .host = {run_callback, &callback},
                                   .host_bytes = sizeof callback};
        unordered_begin(handle, context);
        result = late_put(context, &work, &taken);
        if (result == CUDA_SUCCESS && !taken)
            call_back(run_callback, &callback);
    }
    return driver_leave(result);
}
DRIVER_SAME(cuStreamAddCallback_ptsz, cuStreamAddCallback);

CUresult cuLaunchHostFunc(CUstream handle, CUhostFn function, void *user_data)
{
    struct context *context;
    bool recorded;
    struct stream_work work = {.manner = &manner, .type = CU_GRAPH_NODE_TYPE_HOST, .host = {function, user_data}};
    if (!function) {
        CUresult result = stream_enter(handle, &context);
        return driver_leave(result == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : result);
    }
    CUresult result = stream_submit(handle, &work, &context, &recorded);
    if (result == CUDA_SUCCESS && !recorded)
        call_back(function, user_data);
    return driver_leave(result);
}
DRIVER_SAME(cuLaunchHostFunc_ptsz, cuLaunchHostFunc);
