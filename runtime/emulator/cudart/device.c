/* Entry points: the devices, their limits, and what the libraries say about themselves. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "runtime/emulator/cudart/registry.h"
#include "runtime/emulator/cudart/runtime.h"

#define RUNTIME_VERSION (CUDART_MAJOR >= 13 ? 13000 : 12090)

cudaError_t cudaRuntimeGetVersion(int *version)
{
    if (!version)
        return runtime_fail(cudaErrorInvalidValue);
    *version = RUNTIME_VERSION;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    return runtime_leave(cuDriverGetVersion(version));
}

cudaError_t cudaGetDeviceCount(int *count)
{
    RUNTIME_CALL(cuDeviceGetCount(count));
}

static CUresult check_device(int device)
{
    int count;
    CUresult result = cuDeviceGetCount(&count);
    if (result == CUDA_SUCCESS && (device < 0 || device >= count))
        result = CUDA_ERROR_INVALID_DEVICE;
    return result;
}

cudaError_t cudaSetDevice(int device)
{
    RUNTIME_CALL(runtime_set_device(device));
}

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
    if (flags != 0)
        (void)cudaSetDeviceFlags(device_flags);
    return cudaSetDevice(device);
}

cudaError_t cudaGetDevice(int *device)
{
    RUNTIME_CALL(cuCtxGetDevice(device));
}

/* Whatever is requested, all devices are equally close matches. */
cudaError_t cudaChooseDevice(int *device, const void *wanted)
{
    if (!wanted)
        return runtime_fail(cudaErrorInvalidValue);
    return cudaGetDevice(device);
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
    for (int i = 0; devices && i < count; i++) {
        if (check_device(devices[i]) != CUDA_SUCCESS)
            return runtime_fail(cudaErrorInvalidDevice);
    }
    return devices || count == 0 ? cudaSuccess : runtime_fail(cudaErrorInvalidValue);
}

/* The runtime's flags have the driver's numbers, except that of mapped host memory, which the driver always grants. */
#define FLAG_MAP_HOST 8u

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    RUNTIME_CALL(cuDevicePrimaryCtxSetFlags_v2(runtime_device(), flags));
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    cudaError_t error = runtime_leave(runtime_enter());
    if (error == cudaSuccess)
        error = runtime_leave(cuCtxGetFlags(flags));
    if (error == cudaSuccess)
        *flags |= FLAG_MAP_HOST;
    return error;
}

cudaError_t cudaDeviceSynchronize(void)
{
    RUNTIME_CALL(cuCtxSynchronize());
}

/* Even after a kernel failed: later calls get a new context. */
cudaError_t cudaDeviceReset(void)
{
    CUresult result = runtime_enter();
    int device = runtime_device();
    if (result == CUDA_SUCCESS)
        result = cuDevicePrimaryCtxReset_v2(device);
    registry_forget_loaded(device);
    if (result == CUDA_SUCCESS)
        result = runtime_retain(device); /* NVIDIA's driver makes another context */
    return runtime_leave(result);
}

cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device)
{
    RUNTIME_CALL(cuDeviceGetAttribute(value, (CUdevice_attribute)attribute, device));
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int device)
{
    RUNTIME_CALL(cuDeviceGetPCIBusId(text, length, device));
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text)
{
    RUNTIME_CALL(cuDeviceGetByPCIBusId(device, text));
}

cudaError_t cudaDeviceCanAccessPeer(int *can_access, int device, int peer)
{
    RUNTIME_CALL(cuDeviceCanAccessPeer(can_access, device, peer));
}

static CUresult change_access(int peer, unsigned flags, bool enable)
{
    CUcontext context = NULL;
    CUresult result = runtime_get_context(peer, &context);
    if (result != CUDA_SUCCESS)
        return result;
    if (peer == runtime_device()) /* a device is not its own peer */
        return enable ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    return enable ? cuCtxEnablePeerAccess(context, flags) : cuCtxDisablePeerAccess(context);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    RUNTIME_CALL(change_access(peer, flags, true));
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    RUNTIME_CALL(change_access(peer, 0, false));
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, int source, int target)
{
    RUNTIME_CALL(cuDeviceGetP2PAttribute(value, attribute, source, target));
}

cudaError_t cudaDeviceGetLimit(size_t *value, CUlimit limit)
{
    if ((unsigned)limit > CU_LIMIT_PERSISTING_L2_CACHE_SIZE)
        return runtime_fail(cudaErrorInvalidValue);
    RUNTIME_CALL(cuCtxGetLimit(value, limit));
}

cudaError_t cudaDeviceSetLimit(CUlimit limit, size_t value)
{
    RUNTIME_CALL(cuCtxSetLimit(limit, value));
}

cudaError_t cudaDeviceGetCacheConfig(CUfunc_cache *config)
{
    RUNTIME_CALL(cuCtxGetCacheConfig(config));
}

cudaError_t cudaDeviceSetCacheConfig(CUfunc_cache config)
{
    RUNTIME_CALL(cuCtxSetCacheConfig(config));
}

cudaError_t cudaDeviceGetSharedMemConfig(CUsharedconfig *config)
{
    RUNTIME_CALL(cuCtxGetSharedMemConfig(config));
}

cudaError_t cudaDeviceSetSharedMemConfig(CUsharedconfig config)
{
    RUNTIME_CALL(cuCtxSetSharedMemConfig(config));
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    RUNTIME_CALL(cuCtxGetStreamPriorityRange(least, greatest));
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    RUNTIME_CALL(cuCtxResetPersistingL2Cache());
}

cudaError_t cudaProfilerStart(void)
{
    RUNTIME_CALL(cuProfilerStart());
}

cudaError_t cudaProfilerStop(void)
{
    RUNTIME_CALL(cuProfilerStop());
}

/* ---- entry points of the driver ---- */

static CUresult find_entry(const char *symbol, void **function, unsigned version, unsigned long long flags, int *status)
{
    CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    CUresult result = cuGetProcAddress_v2(symbol, function, (int)version, flags, &found);
    if (status)
        *status = (int)found;
    return result;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version, unsigned long long flags,
                                             int *status)
{
    RUNTIME_CALL(find_entry(symbol, function, version, flags, status));
}
RUNTIME_SAME(cudaGetDriverEntryPointByVersion_ptsz, cudaGetDriverEntryPointByVersion);

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags, int *status)
{
    return cudaGetDriverEntryPointByVersion(symbol, function, RUNTIME_VERSION, flags, status);
}
RUNTIME_SAME(cudaGetDriverEntryPoint_ptsz, cudaGetDriverEntryPoint);

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int kind)
{
    return (cudaChannelFormatDesc){x, y, z, w, kind};
}

/* ---- properties ---- */

/* Writes a field of cudaDeviceProp, whose offset differs between CUDA 12 and 13, with its 4 or 8 bytes. */
static void put(void *properties, int device, int offset, int bytes, CUdevice_attribute attribute)
{
    int value = 0;
    if (offset < 0 || cuDeviceGetAttribute(&value, attribute, device) != CUDA_SUCCESS)
        return;
    uint64_t wide = (uint64_t)(int64_t)value;
    memcpy((char *)properties + offset, &wide, (size_t)bytes);
}

static CUresult get_properties(char *properties, int device)
{
    size_t memory_bytes;
    if (!properties)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = check_device(device);
    if (result != CUDA_SUCCESS)
        return result;
    memset(properties, 0, CUDART_MAJOR >= 13 ? 1008 : 1032);
    /* the three fields at its start that are not attributes: name, uuid and totalGlobalMem */
    result = cuDeviceGetName(properties, 256, device);
    if (result == CUDA_SUCCESS)
        result = cuDeviceGetUuid((CUuuid *)(properties + 256), device);
    if (result == CUDA_SUCCESS)
        result = cuDeviceTotalMem_v2(&memory_bytes, device);
    if (result == CUDA_SUCCESS)
        memcpy(properties + 288, &memory_bytes, sizeof memory_bytes);
#define PROPERTY(name, bytes, offset_12, offset_13, attribute) \
    put(properties, device, CUDART_MAJOR >= 13 ? (offset_13) : (offset_12), bytes, (CUdevice_attribute)(attribute));
#include "runtime/emulator/cudart/properties.def"
#undef PROPERTY
    return result;
}

#if CUDART_MAJOR >= 13
cudaError_t cudaGetDeviceProperties(void *properties, int device)
#else
cudaError_t cudaGetDeviceProperties_v2(void *properties, int device)
#endif
{
    RUNTIME_CALL(get_properties(properties, device));
}
