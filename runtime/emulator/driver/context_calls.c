/* Entry points: contexts and the stack of current ones. */
#include "runtime/emulator/driver/call_log.h"
#include "runtime/emulator/driver/capture_port.h"
#include "runtime/emulator/driver/context_end.h"
#include "runtime/emulator/driver/context_stack.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/order.h"
#include "runtime/emulator/driver/stream.h"
#include "runtime/emulator/driver/unordered.h"

static CUresult create(CUcontext *handle, unsigned flags, CUdevice device)
{
    if (!handle || flags & ~(unsigned)CU_CTX_FLAGS_MASK)
        return CUDA_ERROR_INVALID_VALUE;
    if (!driver_has_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    struct context *context = context_create(flags, device);
    if (!context)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (!context_stack_push(context->handle)) {
        context_destroy(context);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *handle = context->handle;
    return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v2(CUcontext *handle, unsigned flags, CUdevice device)
{
    CUresult result = driver_enter_any();
    return driver_leave(result == CUDA_SUCCESS ? create(handle, flags, device) : result);
}
DRIVER_SAME(cuCtxCreate, cuCtxCreate_v2);

CUresult cuCtxCreate_v3(CUcontext *handle, void *affinities, int affinity_count, unsigned flags, CUdevice device)
{
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS && (affinities || affinity_count != 0))
        result = CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    return driver_leave(result == CUDA_SUCCESS ? create(handle, flags, device) : result);
}

CUresult cuCtxCreate_v4(CUcontext *handle, CUctxCreateParams *parameters, unsigned flags, CUdevice device)
{
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS && parameters && (parameters->execAffinityParams || parameters->numExecAffinityParams != 0))
        result = CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    else if (result == CUDA_SUCCESS && parameters && parameters->cigParams)
        result = CUDA_ERROR_NOT_SUPPORTED;
    return driver_leave(result == CUDA_SUCCESS ? create(handle, flags, device) : result);
}

static CUresult destroy(CUcontext handle)
{
    struct context *context = context_find(handle);
    if (!context || context->primary) /* the primary context is released, not destroyed */
        return CUDA_ERROR_INVALID_CONTEXT;
    if (context_stack_top() == handle)
        context_stack_pop();
    context_destroy(context);
    return CUDA_SUCCESS;
}

CUresult cuCtxDestroy_v2(CUcontext handle)
{
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS)
        result = handle ? destroy(handle) : CUDA_ERROR_INVALID_VALUE;
    return driver_leave(result);
}
DRIVER_SAME(cuCtxDestroy, cuCtxDestroy_v2);

CUresult cuCtxAttach(CUcontext *handle, unsigned flags)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS && (!handle || flags != 0))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        context->retain_count++;
        *handle = context->handle;
    }
    return driver_leave(result);
}

CUresult cuCtxDetach(CUcontext handle)
{
    CUresult result = driver_enter_any();
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    struct context *context = context_find(handle);
    if (!context || context->primary || context_stack_top() != handle)
        return driver_leave(CUDA_ERROR_INVALID_CONTEXT);
    if (--context->retain_count == 0)
        result = destroy(handle);
    return driver_leave(result);
}

/* A handle that may become current: a live context; a primary one only while it is retained. */
static bool may_be_current(CUcontext handle)
{
    const struct context *context = context_find(handle);
    return context && context->active;
}

CUresult cuCtxPushCurrent_v2(CUcontext handle)
{
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS && !handle)
        result = CUDA_ERROR_INVALID_VALUE;
    else if (result == CUDA_SUCCESS && !may_be_current(handle))
        result = CUDA_ERROR_INVALID_CONTEXT;
    if (result == CUDA_SUCCESS && !context_stack_push(handle))
        result = CUDA_ERROR_OUT_OF_MEMORY;
    return driver_leave(result);
}
DRIVER_SAME(cuCtxPushCurrent, cuCtxPushCurrent_v2);

CUresult cuCtxPopCurrent_v2(CUcontext *handle)
{
    CUresult result = driver_enter_any();
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    CUcontext popped = context_stack_pop();
    if (handle)
        *handle = popped;
    return driver_leave(popped ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT);
}
DRIVER_SAME(cuCtxPopCurrent, cuCtxPopCurrent_v2);

CUresult cuCtxSetCurrent(CUcontext handle)
{
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS && handle && !may_be_current(handle))
        result = CUDA_ERROR_INVALID_CONTEXT;
    if (result == CUDA_SUCCESS && !context_stack_set(handle))
        result = CUDA_ERROR_OUT_OF_MEMORY;
    return driver_leave(result);
}

CUresult cuCtxGetCurrent(CUcontext *handle)
{
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS && !handle)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *handle = context_stack_top();
    return driver_leave(result);
}

/* The context of a query: the handle's, or the current one for NULL; a failed kernel does not matter. */
static CUresult find_for_query(CUcontext handle, struct context **context)
{
    CUresult result = driver_enter_any();
    if (result != CUDA_SUCCESS)
        return result;
    if (!handle && !(handle = context_stack_top()))
        return CUDA_ERROR_INVALID_CONTEXT;
    *context = context_find(handle);
    return *context && (*context)->active ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext handle)
{
    struct context *context;
    CUresult result = find_for_query(handle, &context);
    if (result == CUDA_SUCCESS && !device)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *device = context->device;
    return driver_leave(result);
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    return cuCtxGetDevice_v2(device, NULL);
}

CUresult cuCtxGetFlags(unsigned *flags)
{
    struct context *context;
    CUresult result = find_for_query(NULL, &context);
    if (result == CUDA_SUCCESS && !flags)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *flags = context->flags;
    return driver_leave(result);
}

CUresult cuCtxSetFlags(unsigned flags)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS && flags & ~(unsigned)CU_CTX_FLAGS_MASK)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        context->flags = flags;
    return driver_leave(result);
}

CUresult cuCtxGetId(CUcontext handle, unsigned long long *id)
{
    struct context *context;
    CUresult result = find_for_query(handle, &context);
    if (result == CUDA_SUCCESS && !id)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *id = context->id;
    return driver_leave(result);
}

CUresult cuCtxGetApiVersion(CUcontext handle, unsigned *version)
{
    struct context *context;
    CUresult result = find_for_query(handle, &context);
    if (result == CUDA_SUCCESS && !version)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *version = context->api_version;
    return driver_leave(result);
}

/* A kernel may fail only now (late.h). */
static CUresult synchronize(const struct context *context)
{
    CUresult result = capture_allow(CAPTURE_CALL_ALL, NULL);
    if (result == CUDA_SUCCESS)
        result = call_log_begin(CALL_wait);
    if (result != CUDA_SUCCESS)
        return result;
    order_host_context(context);
    unordered_settle();
    return context->failure;
}

CUresult cuCtxSynchronize(void)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    return driver_leave(result == CUDA_SUCCESS ? synchronize(context) : result);
}

CUresult cuCtxSynchronize_v2(CUcontext handle)
{
    struct context *context;
    CUresult result = find_for_query(handle, &context);
    if (result == CUDA_SUCCESS && !context->failure) {
        order_host_context(context);
        unordered_settle();
    }
    return driver_leave(result == CUDA_SUCCESS ? context->failure : result);
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    struct context *context;
    CUresult result = find_for_query(NULL, &context);
    if (result == CUDA_SUCCESS && least)
        *least = STREAM_PRIORITY_LEAST;
    if (result == CUDA_SUCCESS && greatest)
        *greatest = STREAM_PRIORITY_GREATEST;
    return driver_leave(result);
}
