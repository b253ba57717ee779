/* Entry points: access from one device to the memory of another. All devices can reach one another. */
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"

/* Enters; demands two devices and an `output` to write to. */
static CUresult enter(const void *output, CUdevice device, CUdevice peer)
{
    CUresult result = driver_enter_any();
    if (result != CUDA_SUCCESS)
        return result;
    if (!output)
        return CUDA_ERROR_INVALID_VALUE;
    return driver_has_device(device) && driver_has_device(peer) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceCanAccessPeer(int *can_access, CUdevice device, CUdevice peer)
{
    CUresult result = enter(can_access, device, peer);
    if (result == CUDA_SUCCESS)
        *can_access = device != peer; /* a device is not its own peer */
    return driver_leave(result);
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice source, CUdevice target)
{
    CUresult result = enter(value, source, target);
    if (result == CUDA_SUCCESS && source == target)
        result = CUDA_ERROR_INVALID_DEVICE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    switch (attribute) {
    case CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK:
    case CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED: *value = 0; break;
    case CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
    case CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:
    case CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED: *value = 1; break;
    default: result = CUDA_ERROR_INVALID_VALUE;
    }
    return driver_leave(result);
}

/* Enters with a current context and finds the other one. */
static CUresult enter_peers(CUcontext handle, struct context **context, const struct context **peer)
{
    CUresult result = driver_enter(context);
    if (result != CUDA_SUCCESS)
        return result;
    *peer = context_find(handle);
    return *peer && (*peer)->active ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

/* Access is given to all of a device's memory: contexts of one device share it here. */
CUresult cuCtxEnablePeerAccess(CUcontext handle, unsigned flags)
{
    struct context *context;
    const struct context *peer;
    CUresult result = enter_peers(handle, &context, &peer);
    if (result == CUDA_SUCCESS && flags != 0)
        result = CUDA_ERROR_INVALID_VALUE;
    else if (result == CUDA_SUCCESS && peer->device == context->device)
        result = CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
    else if (result == CUDA_SUCCESS && context->peers >> peer->device & 1)
        result = CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    if (result == CUDA_SUCCESS)
        context->peers |= 1u << peer->device;
    return driver_leave(result);
}

CUresult cuCtxDisablePeerAccess(CUcontext handle)
{
    struct context *context;
    const struct context *peer;
    CUresult result = enter_peers(handle, &context, &peer);
    if (result == CUDA_SUCCESS && !(context->peers >> peer->device & 1))
        result = CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    if (result == CUDA_SUCCESS)
        context->peers &= ~(1u << peer->device);
    return driver_leave(result);
}
