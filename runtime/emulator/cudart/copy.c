/* Entry points: copies and fills. The driver knows from addresses where memory is; the caller's direction only says which
 * sides it believes to be on the device, and so reveals mistakes. */
#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/cudart/registry.h"
#include "runtime/emulator/cudart/runtime.h"

static CUresult copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, CUstream stream, int synchronous)
{
    CUdeviceptr target = (CUdeviceptr)(uintptr_t)to, source = (CUdeviceptr)(uintptr_t)from;
    if (bytes == 0)
        return CUDA_SUCCESS;
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return synchronous ? cuMemcpyHtoD_v2(target, from, bytes) : cuMemcpyHtoDAsync_v2(target, from, bytes, stream);
    case cudaMemcpyDeviceToHost:
        return synchronous ? cuMemcpyDtoH_v2(to, source, bytes) : cuMemcpyDtoHAsync_v2(to, source, bytes, stream);
    case cudaMemcpyDeviceToDevice:
        return synchronous ? cuMemcpyDtoD_v2(target, source, bytes) : cuMemcpyDtoDAsync_v2(target, source, bytes, stream);
    case cudaMemcpyHostToHost:
    case cudaMemcpyDefault:
        return synchronous ? cuMemcpy(target, source, bytes) : cuMemcpyAsync(target, source, bytes, stream);
    }
    return (CUresult)cudaErrorInvalidMemcpyDirection;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    RUNTIME_CALL(copy(to, from, bytes, kind, NULL, 1));
}
RUNTIME_SAME(cudaMemcpy_ptds, cudaMemcpy);

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, CUstream stream)
{
    RUNTIME_CALL(copy(to, from, bytes, kind, stream, 0));
}
RUNTIME_SAME(cudaMemcpyAsync_ptsz, cudaMemcpyAsync);

/* There is one device, which is its own and only peer. */
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    if (to_device != 0 || from_device != 0)
        return runtime_fail(cudaErrorInvalidDevice);
    return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes, CUstream stream)
{
    if (to_device != 0 || from_device != 0)
        return runtime_fail(cudaErrorInvalidDevice);
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

/* ---- rectangles ---- */

struct rectangle {
    uint64_t to, from;
    size_t to_pitch, from_pitch, width, height; /* bytes, rows */
};

static CUresult copy_rectangle(const struct rectangle *wanted, cudaMemcpyKind kind, CUstream stream)
{
    static const CUmemorytype source_type[] = {CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE,
                                               CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_UNIFIED};
    static const CUmemorytype target_type[] = {CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_HOST,
                                               CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_UNIFIED};
    if ((unsigned)kind > cudaMemcpyDefault)
        return (CUresult)cudaErrorInvalidMemcpyDirection;
    if (wanted->width > wanted->to_pitch || wanted->width > wanted->from_pitch)
        return (CUresult)cudaErrorInvalidPitchValue;
    if (wanted->width == 0 || wanted->height == 0)
        return CUDA_SUCCESS;
    CUDA_MEMCPY2D arguments = {
        .srcMemoryType = source_type[kind],
        .srcHost = (const void *)(uintptr_t)wanted->from,
        .srcDevice = wanted->from,
        .srcPitch = wanted->from_pitch,
        .dstMemoryType = target_type[kind],
        .dstHost = (void *)(uintptr_t)wanted->to,
        .dstDevice = wanted->to,
        .dstPitch = wanted->to_pitch,
        .WidthInBytes = wanted->width,
        .Height = wanted->height,
    };
    return cuMemcpy2DAsync_v2(&arguments, stream);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                              cudaMemcpyKind kind, CUstream stream)
{
    struct rectangle wanted = {(uintptr_t)to, (uintptr_t)from, to_pitch, from_pitch, width, height};
    RUNTIME_CALL(copy_rectangle(&wanted, kind, stream));
}
RUNTIME_SAME(cudaMemcpy2DAsync_ptsz, cudaMemcpy2DAsync);

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind)
{
    cudaError_t error = cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, NULL);
    return error == cudaSuccess ? cudaStreamSynchronize(NULL) : error;
}
RUNTIME_SAME(cudaMemcpy2D_ptds, cudaMemcpy2D);

static CUresult copy_box(const cudaMemcpy3DParms *wanted, CUstream stream)
{
    if (wanted->srcArray || wanted->dstArray)
        return CUDA_ERROR_NOT_SUPPORTED;
    CUresult result = CUDA_SUCCESS;
    for (size_t z = 0; z < wanted->extent.depth && result == CUDA_SUCCESS; z++) {
        size_t to_row = (wanted->dstPos.z + z) * wanted->dstPtr.ysize + wanted->dstPos.y;
        size_t from_row = (wanted->srcPos.z + z) * wanted->srcPtr.ysize + wanted->srcPos.y;
        struct rectangle slice = {
            .to = (uintptr_t)wanted->dstPtr.ptr + to_row * wanted->dstPtr.pitch + wanted->dstPos.x,
            .from = (uintptr_t)wanted->srcPtr.ptr + from_row * wanted->srcPtr.pitch + wanted->srcPos.x,
            .to_pitch = wanted->dstPtr.pitch,
            .from_pitch = wanted->srcPtr.pitch,
            .width = wanted->extent.width,
            .height = wanted->extent.height,
        };
        result = copy_rectangle(&slice, wanted->kind, stream);
    }
    return result;
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *wanted, CUstream stream)
{
    if (!wanted)
        return runtime_fail(cudaErrorInvalidValue);
    RUNTIME_CALL(copy_box(wanted, stream));
}
RUNTIME_SAME(cudaMemcpy3DAsync_ptsz, cudaMemcpy3DAsync);

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *wanted)
{
    cudaError_t error = cudaMemcpy3DAsync(wanted, NULL);
    return error == cudaSuccess ? cudaStreamSynchronize(NULL) : error;
}
RUNTIME_SAME(cudaMemcpy3D_ptds, cudaMemcpy3D);

/* ---- variables ---- */

/* May a copy whose device side is a variable have that direction? `host` is the direction from or to the host. */
static bool direction_fits(cudaMemcpyKind kind, cudaMemcpyKind host)
{
    return kind == host || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}

/* Enters and finds the address `offset` bytes into the variable, from which `bytes` can be accessed. */
static cudaError_t find_in_symbol(const void *symbol, size_t offset, size_t bytes, void **address)
{
    CUdeviceptr start = 0;
    size_t size = 0, end;
    CUresult result = runtime_enter();
    cudaError_t error = result == CUDA_SUCCESS ? registry_get_variable(symbol, &start, &size) : (cudaError_t)result;
    if (error == cudaSuccess && (__builtin_add_overflow(offset, bytes, &end) || end > size))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *address = (void *)(start + offset);
    return runtime_fail(error);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                    CUstream stream)
{
    void *to = NULL;
    if (!direction_fits(kind, cudaMemcpyHostToDevice))
        return runtime_fail(cudaErrorInvalidMemcpyDirection);
    cudaError_t error = find_in_symbol(symbol, offset, bytes, &to);
    return error == cudaSuccess ? cudaMemcpyAsync(to, from, bytes, kind, stream) : error;
}
RUNTIME_SAME(cudaMemcpyToSymbolAsync_ptsz, cudaMemcpyToSymbolAsync);

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind)
{
    void *to = NULL;
    if (!direction_fits(kind, cudaMemcpyHostToDevice))
        return runtime_fail(cudaErrorInvalidMemcpyDirection);
    cudaError_t error = find_in_symbol(symbol, offset, bytes, &to);
    return error == cudaSuccess ? cudaMemcpy(to, from, bytes, kind) : error;
}
RUNTIME_SAME(cudaMemcpyToSymbol_ptds, cudaMemcpyToSymbol);

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                      CUstream stream)
{
    void *from = NULL;
    if (!direction_fits(kind, cudaMemcpyDeviceToHost))
        return runtime_fail(cudaErrorInvalidMemcpyDirection);
    cudaError_t error = find_in_symbol(symbol, offset, bytes, &from);
    return error == cudaSuccess ? cudaMemcpyAsync(to, from, bytes, kind, stream) : error;
}
RUNTIME_SAME(cudaMemcpyFromSymbolAsync_ptsz, cudaMemcpyFromSymbolAsync);

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind)
{
    void *from = NULL;
    if (!direction_fits(kind, cudaMemcpyDeviceToHost))
        return runtime_fail(cudaErrorInvalidMemcpyDirection);
    cudaError_t error = find_in_symbol(symbol, offset, bytes, &from);
    return error == cudaSuccess ? cudaMemcpy(to, from, bytes, kind) : error;
}
RUNTIME_SAME(cudaMemcpyFromSymbol_ptds, cudaMemcpyFromSymbol);

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol)
{
    return address ? find_in_symbol(symbol, 0, 0, address) : runtime_fail(cudaErrorInvalidValue);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
    CUdeviceptr start;
    CUresult result = runtime_enter();
    if (!bytes)
        return runtime_fail(cudaErrorInvalidValue);
    return runtime_fail(result == CUDA_SUCCESS ? registry_get_variable(symbol, &start, bytes) : (cudaError_t)result);
}

/* ---- fills ---- */

cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    RUNTIME_CALL(bytes == 0 ? CUDA_SUCCESS : cuMemsetD8_v2((CUdeviceptr)(uintptr_t)to, (unsigned char)value, bytes));
}
RUNTIME_SAME(cudaMemset_ptds, cudaMemset);

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, CUstream stream)
{
    RUNTIME_CALL(bytes == 0 ? CUDA_SUCCESS
                            : cuMemsetD8Async((CUdeviceptr)(uintptr_t)to, (unsigned char)value, bytes, stream));
}
RUNTIME_SAME(cudaMemsetAsync_ptsz, cudaMemsetAsync);

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, CUstream stream)
{
    RUNTIME_CALL(cuMemsetD2D8Async((CUdeviceptr)(uintptr_t)to, pitch, (unsigned char)value, width, height, stream));
}
RUNTIME_SAME(cudaMemset2DAsync_ptsz, cudaMemset2DAsync);

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
    return cudaMemset2DAsync(to, pitch, value, width, height, NULL);
}
RUNTIME_SAME(cudaMemset2D_ptds, cudaMemset2D);

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, CUstream stream)
{
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; z < extent.depth && error == cudaSuccess; z++)
        error = cudaMemset2DAsync((char *)to.ptr + z * to.ysize * to.pitch, to.pitch, value, extent.width, extent.height,
                                  stream);
    return error;
}
RUNTIME_SAME(cudaMemset3DAsync_ptsz, cudaMemset3DAsync);

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent)
{
    return cudaMemset3DAsync(to, value, extent, NULL);
}
RUNTIME_SAME(cudaMemset3D_ptds, cudaMemset3D);
