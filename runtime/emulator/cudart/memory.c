/* Entry points: allocation on the device, on the host, managed, and stream-ordered. */
#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/cudart/runtime.h"

/* Unlike the driver, the runtime returns NULL and success for 0 bytes. Stores NULL in any case. */
static bool is_empty(void **address, size_t bytes)
{
    if (address)
        *address = NULL;
    return address && bytes == 0;
}

cudaError_t cudaMalloc(void **address, size_t bytes)
{
    RUNTIME_CALL(is_empty(address, bytes) ? CUDA_SUCCESS : cuMemAlloc_v2((CUdeviceptr *)address, bytes));
}

cudaError_t cudaMallocPitch(void **address, size_t *pitch, size_t width_bytes, size_t height)
{
    if (pitch)
        *pitch = 0;
    RUNTIME_CALL(pitch && is_empty(address, width_bytes && height)
                     ? CUDA_SUCCESS
                     : cuMemAllocPitch_v2((CUdeviceptr *)address, pitch, width_bytes, height, 4));
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *pitched, cudaExtent extent)
{
    size_t rows;
    if (!pitched || __builtin_mul_overflow(extent.height, extent.depth, &rows))
        return runtime_fail(cudaErrorInvalidValue);
    *pitched = (cudaPitchedPtr){.xsize = extent.width, .ysize = extent.height};
    return cudaMallocPitch(&pitched->ptr, &pitched->pitch, extent.width, rows);
}

cudaError_t cudaFree(void *address)
{
    RUNTIME_CALL(cuMemFree_v2((CUdeviceptr)(uintptr_t)address));
}

cudaError_t cudaMallocHost(void **host, size_t bytes)
{
    RUNTIME_CALL(is_empty(host, bytes) ? CUDA_SUCCESS : cuMemAllocHost_v2(host, bytes));
}

cudaError_t cudaHostAlloc(void **host, size_t bytes, unsigned flags)
{
    RUNTIME_CALL(is_empty(host, bytes) ? CUDA_SUCCESS : cuMemHostAlloc(host, bytes, flags));
}

cudaError_t cudaFreeHost(void *host)
{
    RUNTIME_CALL(cuMemFreeHost(host));
}

cudaError_t cudaHostRegister(void *host, size_t bytes, unsigned flags)
{
    RUNTIME_CALL(cuMemHostRegister_v2(host, bytes, flags));
}

cudaError_t cudaHostUnregister(void *host)
{
    RUNTIME_CALL(cuMemHostUnregister(host));
}

cudaError_t cudaHostGetDevicePointer(void **address, void *host, unsigned flags)
{
    RUNTIME_CALL(cuMemHostGetDevicePointer_v2((CUdeviceptr *)address, host, flags));
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
    RUNTIME_CALL(cuMemHostGetFlags(flags, host));
}

cudaError_t cudaMallocManaged(void **address, size_t bytes, unsigned flags)
{
    RUNTIME_CALL(is_empty(address, bytes) ? CUDA_SUCCESS : cuMemAllocManaged((CUdeviceptr *)address, bytes, flags));
}

/* CUDA 13 takes a place where CUDA 12 took a device. */
#if CUDART_MAJOR >= 13
cudaError_t cudaMemAdvise(const void *address, size_t bytes, int advice, CUmemLocation location)
{
    RUNTIME_CALL(cuMemAdvise_v2((CUdeviceptr)(uintptr_t)address, bytes, advice, location));
}

cudaError_t cudaMemPrefetchAsync(const void *address, size_t bytes, CUmemLocation location, unsigned flags, CUstream stream)
{
    RUNTIME_CALL(cuMemPrefetchAsync_v2((CUdeviceptr)(uintptr_t)address, bytes, location, flags, stream));
}
#else
cudaError_t cudaMemAdvise(const void *address, size_t bytes, int advice, int device)
{
    RUNTIME_CALL(cuMemAdvise((CUdeviceptr)(uintptr_t)address, bytes, advice, device));
}

cudaError_t cudaMemPrefetchAsync(const void *address, size_t bytes, int device, CUstream stream)
{
    RUNTIME_CALL(cuMemPrefetchAsync((CUdeviceptr)(uintptr_t)address, bytes, device, stream));
}

cudaError_t cudaMemAdvise_v2(const void *address, size_t bytes, int advice, CUmemLocation location)
{
    RUNTIME_CALL(cuMemAdvise_v2((CUdeviceptr)(uintptr_t)address, bytes, advice, location));
}

cudaError_t cudaMemPrefetchAsync_v2(const void *address, size_t bytes, CUmemLocation location, unsigned flags,
                                    CUstream stream)
{
    RUNTIME_CALL(cuMemPrefetchAsync_v2((CUdeviceptr)(uintptr_t)address, bytes, location, flags, stream));
}
RUNTIME_SAME(cudaMemPrefetchAsync_v2_ptsz, cudaMemPrefetchAsync_v2);
#endif
RUNTIME_SAME(cudaMemPrefetchAsync_ptsz, cudaMemPrefetchAsync);

cudaError_t cudaStreamAttachMemAsync(CUstream stream, void *address, size_t bytes, unsigned flags)
{
    RUNTIME_CALL(cuStreamAttachMemAsync(stream, (CUdeviceptr)(uintptr_t)address, bytes, flags));
}
RUNTIME_SAME(cudaStreamAttachMemAsync_ptsz, cudaStreamAttachMemAsync);

cudaError_t cudaIpcGetMemHandle(CUipcMemHandle *handle, void *address)
{
    RUNTIME_CALL(cuIpcGetMemHandle(handle, (CUdeviceptr)(uintptr_t)address));
}

cudaError_t cudaIpcOpenMemHandle(void **address, CUipcMemHandle handle, unsigned flags)
{
    RUNTIME_CALL(cuIpcOpenMemHandle_v2((CUdeviceptr *)address, handle, flags));
}

cudaError_t cudaIpcCloseMemHandle(void *address)
{
    RUNTIME_CALL(cuIpcCloseMemHandle((CUdeviceptr)(uintptr_t)address));
}

cudaError_t cudaIpcGetEventHandle(CUipcEventHandle *handle, CUevent event)
{
    RUNTIME_CALL(cuIpcGetEventHandle(handle, event));
}

cudaError_t cudaIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle)
{
    RUNTIME_CALL(cuIpcOpenEventHandle(event, handle));
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    RUNTIME_CALL(cuMemGetInfo_v2(free_bytes, total_bytes));
}

/* Memory that the driver does not know is the program's own; that is not an error. */
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *address)
{
    if (!attributes)
        return runtime_fail(cudaErrorInvalidValue);
    unsigned type = 0, managed = 0;
    CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                    CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                    CU_POINTER_ATTRIBUTE_HOST_POINTER};
    void *values[] = {&type, &managed, &attributes->device, &attributes->devicePointer, &attributes->hostPointer};
    *attributes = (cudaPointerAttributes){0};
    CUresult result = runtime_enter();
    if (result == CUDA_SUCCESS)
        result = cuPointerGetAttributes(sizeof wanted / sizeof wanted[0], wanted, values, (CUdeviceptr)(uintptr_t)address);
    attributes->type = managed                        ? cudaMemoryTypeManaged
                       : type == CU_MEMORYTYPE_HOST   ? cudaMemoryTypeHost
                       : type == CU_MEMORYTYPE_DEVICE ? cudaMemoryTypeDevice
                                                      : cudaMemoryTypeUnregistered;
    if (attributes->type == cudaMemoryTypeUnregistered)
        attributes->hostPointer = (void *)(uintptr_t)address;
    return runtime_leave(result);
}

cudaError_t cudaMallocAsync(void **address, size_t bytes, CUstream stream)
{
    RUNTIME_CALL(cuMemAllocAsync((CUdeviceptr *)address, bytes, stream));
}
RUNTIME_SAME(cudaMallocAsync_ptsz, cudaMallocAsync);

cudaError_t cudaMallocFromPoolAsync(void **address, size_t bytes, CUmemoryPool pool, CUstream stream)
{
    RUNTIME_CALL(cuMemAllocFromPoolAsync((CUdeviceptr *)address, bytes, pool, stream));
}
RUNTIME_SAME(cudaMallocFromPoolAsync_ptsz, cudaMallocFromPoolAsync);

cudaError_t cudaFreeAsync(void *address, CUstream stream)
{
    RUNTIME_CALL(cuMemFreeAsync((CUdeviceptr)(uintptr_t)address, stream));
}
RUNTIME_SAME(cudaFreeAsync_ptsz, cudaFreeAsync);

cudaError_t cudaDeviceGetDefaultMemPool(CUmemoryPool *pool, int device)
{
    RUNTIME_CALL(cuDeviceGetDefaultMemPool(pool, device));
}

cudaError_t cudaDeviceGetMemPool(CUmemoryPool *pool, int device)
{
    RUNTIME_CALL(cuDeviceGetMemPool(pool, device));
}

cudaError_t cudaDeviceSetMemPool(int device, CUmemoryPool pool)
{
    RUNTIME_CALL(cuDeviceSetMemPool(device, pool));
}

#if CUDART_MAJOR >= 13
cudaError_t cudaMemGetDefaultMemPool(CUmemoryPool *pool, CUmemLocation *location, int type)
{
    RUNTIME_CALL(cuMemGetDefaultMemPool(pool, location, type));
}

cudaError_t cudaMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location, int type)
{
    RUNTIME_CALL(cuMemGetMemPool(pool, location, type));
}

cudaError_t cudaMemSetMemPool(CUmemLocation *location, int type, CUmemoryPool pool)
{
    RUNTIME_CALL(cuMemSetMemPool(location, type, pool));
}
#endif

cudaError_t cudaMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *wanted)
{
    RUNTIME_CALL(cuMemPoolCreate(pool, wanted));
}

cudaError_t cudaMemPoolDestroy(CUmemoryPool pool)
{
    RUNTIME_CALL(cuMemPoolDestroy(pool));
}

cudaError_t cudaMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *wanted, size_t count)
{
    RUNTIME_CALL(cuMemPoolSetAccess(pool, wanted, count));
}

cudaError_t cudaMemPoolGetAccess(int *flags, CUmemoryPool pool, const CUmemLocation *location)
{
    RUNTIME_CALL(cuMemPoolGetAccess(flags, pool, location));
}

cudaError_t cudaMemPoolTrimTo(CUmemoryPool pool, size_t keep_bytes)
{
    RUNTIME_CALL(cuMemPoolTrimTo(pool, keep_bytes));
}

cudaError_t cudaMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    RUNTIME_CALL(cuMemPoolSetAttribute(pool, attribute, value));
}

cudaError_t cudaMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    RUNTIME_CALL(cuMemPoolGetAttribute(pool, attribute, value));
}
