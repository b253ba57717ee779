/* Entry points: copies and fills. The driver knows from addresses where memory is; the caller's direction only says which
 * sides it believes to be on the device, and so reveals mistakes. */
#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/cudart/array.h"
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

/* All devices share one range of addresses, so the devices only have to exist. */
static CUresult check_devices(int to_device, int from_device)
{
    int count;
    CUresult result = cuDeviceGetCount(&count);
    if (result == CUDA_SUCCESS && (to_device < 0 || to_device >= count || from_device < 0 || from_device >= count))
        result = CUDA_ERROR_INVALID_DEVICE;
    return result;
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    CUresult result = runtime_enter();
    if (result == CUDA_SUCCESS)
        result = check_devices(to_device, from_device);
    if (result != CUDA_SUCCESS)
        return runtime_leave(result);
    return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes, CUstream stream)
{
    CUresult result = runtime_enter();
    if (result == CUDA_SUCCESS)
        result = check_devices(to_device, from_device);
    if (result != CUDA_SUCCESS)
        return runtime_leave(result);
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

/* ---- rectangles ---- */

struct rectangle {
    uint64_t to, from;
    size_t to_pitch, from_pitch, width, height; /* bytes, rows */
};

/* Where both sides of a copy lie, by its direction. */
static const CUmemorytype source_type[] = {CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE,
                                           CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_UNIFIED};
static const CUmemorytype target_type[] = {CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_HOST,
                                           CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_UNIFIED};

static CUresult copy_rectangle(const struct rectangle *wanted, cudaMemcpyKind kind, CUstream stream)
{
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

/* Bytes of an array's element; 1 without an array. */
static CUresult element_bytes(CUarray array, size_t *bytes)
{
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    *bytes = 1;
    CUresult result = array ? cuArray3DGetDescriptor_v2(&descriptor, array) : CUDA_SUCCESS;
    if (array && result == CUDA_SUCCESS)
        *bytes = array_element_bytes(&descriptor);
    return result;
}

/* With an array, widths and its own positions count elements. */
static CUresult copy_box(const cudaMemcpy3DParms *wanted, CUstream stream)
{
    size_t to_bytes, from_bytes;
    cudaMemcpyKind kind = wanted->kind;
    CUresult result = element_bytes(wanted->dstArray, &to_bytes);
    if (result == CUDA_SUCCESS)
        result = element_bytes(wanted->srcArray, &from_bytes);
    if (result != CUDA_SUCCESS)
        return result;
    if ((unsigned)kind > cudaMemcpyDefault)
        return (CUresult)cudaErrorInvalidMemcpyDirection;
    if (to_bytes != from_bytes && wanted->dstArray && wanted->srcArray)
        return CUDA_ERROR_INVALID_VALUE;
    size_t width = wanted->extent.width * (wanted->dstArray ? to_bytes : from_bytes);
    if ((!wanted->dstArray && wanted->dstPtr.pitch < width) || (!wanted->srcArray && wanted->srcPtr.pitch < width))
        return (CUresult)cudaErrorInvalidPitchValue;
    if (width == 0 || wanted->extent.height == 0 || wanted->extent.depth == 0)
        return CUDA_SUCCESS;
    CUDA_MEMCPY3D arguments = {
        .srcXInBytes = wanted->srcPos.x * from_bytes,
        .srcY = wanted->srcPos.y,
        .srcZ = wanted->srcPos.z,
        .srcMemoryType = wanted->srcArray ? CU_MEMORYTYPE_ARRAY : source_type[kind],
        .srcHost = wanted->srcPtr.ptr,
        .srcDevice = (uintptr_t)wanted->srcPtr.ptr,
        .srcArray = wanted->srcArray,
        .srcPitch = wanted->srcPtr.pitch,
        .srcHeight = wanted->srcPtr.ysize,
        .dstXInBytes = wanted->dstPos.x * to_bytes,
        .dstY = wanted->dstPos.y,
        .dstZ = wanted->dstPos.z,
        .dstMemoryType = wanted->dstArray ? CU_MEMORYTYPE_ARRAY : target_type[kind],
        .dstHost = wanted->dstPtr.ptr,
        .dstDevice = (uintptr_t)wanted->dstPtr.ptr,
        .dstArray = wanted->dstArray,
        .dstPitch = wanted->dstPtr.pitch,
        .dstHeight = wanted->dstPtr.ysize,
        .WidthInBytes = width,
        .Height = wanted->extent.height,
        .Depth = wanted->extent.depth,
    };
    return cuMemcpy3DAsync_v2(&arguments, stream);
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

/* ---- arrays ---- */

/* One side of a rectangle: an array, or memory. */
struct array_side {
    CUarray array; /* NULL: memory */
    size_t x, y;   /* bytes and rows, in the array */
    uint64_t address;
    size_t pitch;
};

static CUresult copy_array(const struct array_side *to, const struct array_side *from, size_t width, size_t height,
                           cudaMemcpyKind kind, CUstream stream)
{
    if ((unsigned)kind > cudaMemcpyDefault || (to->array && (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost))
        || (from->array && (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)))
        return (CUresult)cudaErrorInvalidMemcpyDirection;
    if ((!to->array && to->pitch < width) || (!from->array && from->pitch < width))
        return (CUresult)cudaErrorInvalidPitchValue;
    if (width == 0 || height == 0)
        return CUDA_SUCCESS;
    CUDA_MEMCPY2D arguments = {
        .srcXInBytes = from->x,
        .srcY = from->y,
        .srcMemoryType = from->array ? CU_MEMORYTYPE_ARRAY : source_type[kind],
        .srcHost = (const void *)(uintptr_t)from->address,
        .srcDevice = from->address,
        .srcArray = from->array,
        .srcPitch = from->pitch,
        .dstXInBytes = to->x,
        .dstY = to->y,
        .dstMemoryType = to->array ? CU_MEMORYTYPE_ARRAY : target_type[kind],
        .dstHost = (void *)(uintptr_t)to->address,
        .dstDevice = to->address,
        .dstArray = to->array,
        .dstPitch = to->pitch,
        .WidthInBytes = width,
        .Height = height,
    };
    return cuMemcpy2DAsync_v2(&arguments, stream);
}

cudaError_t cudaMemcpy2DToArrayAsync(CUarray to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, CUstream stream)
{
    struct array_side target = {.array = to, .x = x, .y = y}, source = {.address = (uintptr_t)from, .pitch = pitch};
    RUNTIME_CALL(to ? copy_array(&target, &source, width, height, kind, stream) : CUDA_ERROR_INVALID_HANDLE);
}
RUNTIME_SAME(cudaMemcpy2DToArrayAsync_ptsz, cudaMemcpy2DToArrayAsync);

cudaError_t cudaMemcpy2DToArray(CUarray to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height,
                                cudaMemcpyKind kind)
{
    return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, NULL);
}
RUNTIME_SAME(cudaMemcpy2DToArray_ptds, cudaMemcpy2DToArray);

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, CUarray from, size_t x, size_t y, size_t width, size_t height,
                                       cudaMemcpyKind kind, CUstream stream)
{
    struct array_side source = {.array = from, .x = x, .y = y}, target = {.address = (uintptr_t)to, .pitch = pitch};
    RUNTIME_CALL(from ? copy_array(&target, &source, width, height, kind, stream) : CUDA_ERROR_INVALID_HANDLE);
}
RUNTIME_SAME(cudaMemcpy2DFromArrayAsync_ptsz, cudaMemcpy2DFromArrayAsync);

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, CUarray from, size_t x, size_t y, size_t width, size_t height,
                                  cudaMemcpyKind kind)
{
    return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, NULL);
}
RUNTIME_SAME(cudaMemcpy2DFromArray_ptds, cudaMemcpy2DFromArray);

cudaError_t cudaMemcpy2DArrayToArray(CUarray to, size_t to_x, size_t to_y, CUarray from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, cudaMemcpyKind kind)
{
    struct array_side target = {.array = to, .x = to_x, .y = to_y}, source = {.array = from, .x = from_x, .y = from_y};
    RUNTIME_CALL(to && from ? copy_array(&target, &source, width, height, kind, NULL) : CUDA_ERROR_INVALID_HANDLE);
}
RUNTIME_SAME(cudaMemcpy2DArrayToArray_ptds, cudaMemcpy2DArrayToArray);

/* Copies bytes that follow one another in an array, which may begin and end within a row, to or from memory. */
static CUresult copy_rows(const struct array_side *array, uint64_t memory, size_t bytes, bool to_array, cudaMemcpyKind kind,
                          CUstream stream)
{
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    CUresult result = array->array ? cuArray3DGetDescriptor_v2(&descriptor, array->array) : CUDA_ERROR_INVALID_HANDLE;
    if (result != CUDA_SUCCESS)
        return result;
    size_t row = descriptor.Width * array_element_bytes(&descriptor);
    struct array_side at = *array;
    while (bytes > 0 && result == CUDA_SUCCESS) {
        size_t width = at.x < row && bytes > row - at.x ? row - at.x : bytes;
        size_t height = at.x == 0 && bytes >= row ? bytes / row : 1;
        width = height > 1 ? row : width;
        struct array_side plain = {.address = memory, .pitch = width};
        result = to_array ? copy_array(&at, &plain, width, height, kind, stream)
                          : copy_array(&plain, &at, width, height, kind, stream);
        memory += width * height;
        bytes -= width * height;
        at.x = 0;
        at.y += height;
    }
    return result;
}

cudaError_t cudaMemcpyToArrayAsync(CUarray to, size_t x, size_t y, const void *from, size_t bytes, cudaMemcpyKind kind,
                                   CUstream stream)
{
    struct array_side target = {.array = to, .x = x, .y = y};
    RUNTIME_CALL(copy_rows(&target, (uintptr_t)from, bytes, true, kind, stream));
}
RUNTIME_SAME(cudaMemcpyToArrayAsync_ptsz, cudaMemcpyToArrayAsync);

cudaError_t cudaMemcpyToArray(CUarray to, size_t x, size_t y, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return cudaMemcpyToArrayAsync(to, x, y, from, bytes, kind, NULL);
}
RUNTIME_SAME(cudaMemcpyToArray_ptds, cudaMemcpyToArray);

cudaError_t cudaMemcpyFromArrayAsync(void *to, CUarray from, size_t x, size_t y, size_t bytes, cudaMemcpyKind kind,
                                     CUstream stream)
{
    struct array_side source = {.array = from, .x = x, .y = y};
    RUNTIME_CALL(copy_rows(&source, (uintptr_t)to, bytes, false, kind, stream));
}
RUNTIME_SAME(cudaMemcpyFromArrayAsync_ptsz, cudaMemcpyFromArrayAsync);

cudaError_t cudaMemcpyFromArray(void *to, CUarray from, size_t x, size_t y, size_t bytes, cudaMemcpyKind kind)
{
    return cudaMemcpyFromArrayAsync(to, from, x, y, bytes, kind, NULL);
}
RUNTIME_SAME(cudaMemcpyFromArray_ptds, cudaMemcpyFromArray);

/* Only for bytes of one row on each side. */
cudaError_t cudaMemcpyArrayToArray(CUarray to, size_t to_x, size_t to_y, CUarray from, size_t from_x, size_t from_y,
                                   size_t bytes, cudaMemcpyKind kind)
{
    return cudaMemcpy2DArrayToArray(to, to_x, to_y, from, from_x, from_y, bytes, 1, kind);
}
RUNTIME_SAME(cudaMemcpyArrayToArray_ptds, cudaMemcpyArrayToArray);

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
