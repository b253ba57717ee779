/* Entry points: the primary context of a device, which all users of the device in a process share. */
#include "runtime/emulator/driver/context_end.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"

/* Enters without demanding a context and finds the primary one. */
static CUresult enter(CUdevice device, struct context **context)
{
    CUresult result = driver_enter_any();
    if (result != CUDA_SUCCESS)
        return result;
    if (!driver_has_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    *context = context_get_primary(device);
    return *context ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *handle, CUdevice device)
{
    struct context *context;
    CUresult result = enter(device, &context);
    if (result == CUDA_SUCCESS && !handle)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        context->retain_count++;
        context->active = true;
        *handle = context->handle;
    }
    return driver_leave(result);
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    struct context *context;
    CUresult result = enter(device, &context);
    if (result == CUDA_SUCCESS && context->retain_count == 0)
        result = CUDA_ERROR_INVALID_CONTEXT;
    if (result == CUDA_SUCCESS && --context->retain_count == 0) {
        context_clear(context);
        context->active = false;
    }
    return driver_leave(result);
}
DRIVER_SAME(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2);

/* Frees everything in the context, even after a kernel failed. Those that retained it may keep using it. */
CUresult cuDevicePrimaryCtxReset_v2(CUdevice device)
{
    struct context *context;
    CUresult result = enter(device, &context);
    if (result == CUDA_SUCCESS)
        context_clear(context);
    return driver_leave(result);
}
DRIVER_SAME(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2);

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags)
{
    struct context *context;
    CUresult result = enter(device, &context);
    if (result == CUDA_SUCCESS && flags & ~(unsigned)CU_CTX_FLAGS_MASK)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        context->flags = flags;
    return driver_leave(result);
}
DRIVER_SAME(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2);

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
    struct context *context;
    CUresult result = enter(device, &context);
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    if (flags)
        *flags = context->flags;
    if (active)
        *active = context->active;
    return driver_leave(CUDA_SUCCESS);
}
