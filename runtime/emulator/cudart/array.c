/* Entry points: arrays, texture objects and surface objects. */
#include "runtime/emulator/cudart/array.h"

#include <stdbool.h>
#include <string.h>

#include "runtime/emulator/cudart/runtime.h"

/* ---- formats ---- */

static const struct {
    CUarray_format format;
    int kind, bits;
} formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, cudaChannelFormatKindUnsigned, 8},
    {CU_AD_FORMAT_UNSIGNED_INT16, cudaChannelFormatKindUnsigned, 16},
    {CU_AD_FORMAT_UNSIGNED_INT32, cudaChannelFormatKindUnsigned, 32},
    {CU_AD_FORMAT_SIGNED_INT8, cudaChannelFormatKindSigned, 8},
    {CU_AD_FORMAT_SIGNED_INT16, cudaChannelFormatKindSigned, 16},
    {CU_AD_FORMAT_SIGNED_INT32, cudaChannelFormatKindSigned, 32},
    {CU_AD_FORMAT_HALF, cudaChannelFormatKindFloat, 16},
    {CU_AD_FORMAT_FLOAT, cudaChannelFormatKindFloat, 32},
};
enum { FORMATS = sizeof formats / sizeof *formats };

size_t array_element_bytes(const CUDA_ARRAY3D_DESCRIPTOR *descriptor)
{
    for (int i = 0; i < FORMATS; i++)
        if (formats[i].format == descriptor->Format)
            return (size_t)formats[i].bits / 8 * descriptor->NumChannels;
    return 1;
}

/* Returns false for what the driver has no format for. */
static bool to_driver(const cudaChannelFormatDesc *wanted, CUarray_format *format, unsigned *channels)
{
    const int bits[] = {wanted->x, wanted->y, wanted->z, wanted->w};
    unsigned count = 0;
    while (count < 4 && bits[count] > 0)
        count++;
    for (unsigned i = 0; i < 4; i++)
        if (bits[i] != (i < count ? wanted->x : 0))
            return false;
    for (int i = 0; i < FORMATS; i++)
        if (formats[i].kind == wanted->kind && formats[i].bits == wanted->x) {
            *format = formats[i].format;
            *channels = count;
            return count != 3;
        }
    return false;
}

static cudaChannelFormatDesc from_driver(CUarray_format format, unsigned channels)
{
    cudaChannelFormatDesc result = {0};
    for (int i = 0; i < FORMATS; i++)
        if (formats[i].format == format) {
            result.kind = formats[i].kind;
            result.x = formats[i].bits;
            result.y = channels > 1 ? formats[i].bits : 0;
            result.z = result.w = channels > 2 ? formats[i].bits : 0;
        }
    return result;
}

/* ---- arrays ---- */

static bool describe(const cudaChannelFormatDesc *format, cudaExtent extent, unsigned flags,
                     CUDA_ARRAY3D_DESCRIPTOR *descriptor)
{
    *descriptor =
        (CUDA_ARRAY3D_DESCRIPTOR){.Width = extent.width, .Height = extent.height, .Depth = extent.depth, .Flags = flags};
    return format && to_driver(format, &descriptor->Format, &descriptor->NumChannels);
}

cudaError_t cudaMalloc3DArray(CUarray *array, const cudaChannelFormatDesc *format, cudaExtent extent, unsigned flags)
{
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    bool known = describe(format, extent, flags, &descriptor);
    RUNTIME_CALL(known ? cuArray3DCreate_v2(array, &descriptor) : (CUresult)cudaErrorInvalidChannelDescriptor);
}

cudaError_t cudaMallocArray(CUarray *array, const cudaChannelFormatDesc *format, size_t width, size_t height, unsigned flags)
{
    return cudaMalloc3DArray(array, format, (cudaExtent){.width = width, .height = height}, flags);
}

cudaError_t cudaMallocMipmappedArray(CUmipmappedArray *array, const cudaChannelFormatDesc *format, cudaExtent extent,
                                     unsigned levels, unsigned flags)
{
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    bool known = describe(format, extent, flags, &descriptor);
    RUNTIME_CALL(known ? cuMipmappedArrayCreate(array, &descriptor, levels) : (CUresult)cudaErrorInvalidChannelDescriptor);
}

cudaError_t cudaGetMipmappedArrayLevel(CUarray *level, CUmipmappedArray array, unsigned number)
{
    RUNTIME_CALL(cuMipmappedArrayGetLevel(level, array, number));
}

cudaError_t cudaFreeArray(CUarray array)
{
    RUNTIME_CALL(array ? cuArrayDestroy(array) : CUDA_SUCCESS);
}

cudaError_t cudaFreeMipmappedArray(CUmipmappedArray array)
{
    RUNTIME_CALL(array ? cuMipmappedArrayDestroy(array) : CUDA_SUCCESS);
}

static CUresult get_info(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned *flags, CUarray array)
{
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    CUresult result = cuArray3DGetDescriptor_v2(&descriptor, array);
    if (result != CUDA_SUCCESS)
        return result;
    if (format)
        *format = from_driver(descriptor.Format, descriptor.NumChannels);
    if (extent)
        *extent = (cudaExtent){descriptor.Width, descriptor.Height, descriptor.Depth};
    if (flags)
        *flags = descriptor.Flags;
    return CUDA_SUCCESS;
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned *flags, CUarray array)
{
    RUNTIME_CALL(get_info(format, extent, flags, array));
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, CUarray array)
{
    RUNTIME_CALL(get_info(format, NULL, NULL, array));
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *elements, const cudaChannelFormatDesc *format, int device)
{
    CUarray_format driver_format = CU_AD_FORMAT_FLOAT;
    unsigned channels = 0;
    bool known = format && to_driver(format, &driver_format, &channels);
    RUNTIME_CALL(known ? cuDeviceGetTexture1DLinearMaxWidth(elements, driver_format, channels, device)
                       : CUDA_ERROR_INVALID_VALUE);
}

/* ---- texture and surface objects ---- */

static bool resource_to_driver(const cudaResourceDesc *from, CUDA_RESOURCE_DESC *to)
{
    memset(to, 0, sizeof *to);
    to->resType = (CUresourcetype)from->resType;
    switch (to->resType) {
    case CU_RESOURCE_TYPE_ARRAY: to->res.array.hArray = from->res.array.array; return true;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: to->res.mipmap.hMipmappedArray = from->res.mipmap.mipmap; return true;
    case CU_RESOURCE_TYPE_LINEAR:
        to->res.linear.devPtr = (uintptr_t)from->res.linear.devPtr;
        to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
        return to_driver(&from->res.linear.desc, &to->res.linear.format, &to->res.linear.numChannels);
    case CU_RESOURCE_TYPE_PITCH2D:
        to->res.pitch2D.devPtr = (uintptr_t)from->res.pitch2D.devPtr;
        to->res.pitch2D.width = from->res.pitch2D.width;
        to->res.pitch2D.height = from->res.pitch2D.height;
        to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
        return to_driver(&from->res.pitch2D.desc, &to->res.pitch2D.format, &to->res.pitch2D.numChannels);
    default: return false;
    }
}

static void resource_from_driver(const CUDA_RESOURCE_DESC *from, cudaResourceDesc *to)
{
    memset(&to->res, 0, sizeof to->res);
    to->resType = from->resType;
    switch (from->resType) {
    case CU_RESOURCE_TYPE_ARRAY: to->res.array.array = from->res.array.hArray; break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: to->res.mipmap.mipmap = from->res.mipmap.hMipmappedArray; break;
    case CU_RESOURCE_TYPE_LINEAR:
        to->res.linear.devPtr = (void *)(uintptr_t)from->res.linear.devPtr;
        to->res.linear.desc = from_driver(from->res.linear.format, from->res.linear.numChannels);
        to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
        break;
    case CU_RESOURCE_TYPE_PITCH2D:
        to->res.pitch2D.devPtr = (void *)(uintptr_t)from->res.pitch2D.devPtr;
        to->res.pitch2D.desc = from_driver(from->res.pitch2D.format, from->res.pitch2D.numChannels);
        to->res.pitch2D.width = from->res.pitch2D.width;
        to->res.pitch2D.height = from->res.pitch2D.height;
        to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
        break;
    }
}

static void texture_to_driver(const cudaTextureDesc *from, CUDA_TEXTURE_DESC *to)
{
    memset(to, 0, sizeof *to);
    for (int i = 0; i < 3; i++)
        to->addressMode[i] = (CUaddress_mode)from->addressMode[i];
    to->filterMode = (CUfilter_mode)from->filterMode;
    to->flags = (from->readMode == 0 ? CU_TRSF_READ_AS_INTEGER : 0u)
                | (from->normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0u) | (from->sRGB ? CU_TRSF_SRGB : 0u)
                | (from->disableTrilinearOptimization ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0u)
                | (from->seamlessCubemap ? CU_TRSF_SEAMLESS_CUBEMAP : 0u);
    to->maxAnisotropy = from->maxAnisotropy;
    to->mipmapFilterMode = (CUfilter_mode)from->mipmapFilterMode;
    to->mipmapLevelBias = from->mipmapLevelBias;
    to->minMipmapLevelClamp = from->minMipmapLevelClamp;
    to->maxMipmapLevelClamp = from->maxMipmapLevelClamp;
    memcpy(to->borderColor, from->borderColor, sizeof to->borderColor);
}

/* The format that the texture reads; false where it is not known. */
static bool find_format(const CUDA_RESOURCE_DESC *resource, CUarray_format *format)
{
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    CUarray level;
    switch (resource->resType) {
    case CU_RESOURCE_TYPE_LINEAR: *format = resource->res.linear.format; return true;
    case CU_RESOURCE_TYPE_PITCH2D: *format = resource->res.pitch2D.format; return true;
    case CU_RESOURCE_TYPE_ARRAY: level = resource->res.array.hArray; break;
    default:
        if (cuMipmappedArrayGetLevel(&level, resource->res.mipmap.hMipmappedArray, 0) != CUDA_SUCCESS)
            return false;
    }
    if (cuArray3DGetDescriptor_v2(&descriptor, level) != CUDA_SUCCESS)
        return false;
    *format = descriptor.Format;
    return true;
}

/* The runtime has codes of its own for a filter or a read mode that the format does not allow. */
static cudaError_t check_modes(const CUDA_RESOURCE_DESC *resource, const cudaTextureDesc *texture)
{
    CUarray_format format;
    if (!find_format(resource, &format))
        return cudaSuccess; /* the driver says what is wrong */
    bool is_float = format == CU_AD_FORMAT_HALF || format == CU_AD_FORMAT_FLOAT;
    bool is_wide = format == CU_AD_FORMAT_UNSIGNED_INT32 || format == CU_AD_FORMAT_SIGNED_INT32;
    if (texture->readMode && (is_float || is_wide))
        return cudaErrorInvalidNormSetting;
    if (texture->filterMode == CU_TR_FILTER_MODE_LINEAR && !is_float && !texture->readMode)
        return cudaErrorInvalidFilterSetting;
    return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(CUtexObject *object, const cudaResourceDesc *resource, const cudaTextureDesc *texture,
                                    const CUDA_RESOURCE_VIEW_DESC *view)
{
    CUDA_RESOURCE_DESC driver_resource;
    CUDA_TEXTURE_DESC driver_texture;
    if (!object || !resource || !texture || !resource_to_driver(resource, &driver_resource))
        return runtime_fail(cudaErrorInvalidValue);
    CUresult entered = runtime_enter();
    cudaError_t error = entered == CUDA_SUCCESS ? check_modes(&driver_resource, texture) : (cudaError_t)entered;
    if (error != cudaSuccess && !view)
        return runtime_fail(error);
    texture_to_driver(texture, &driver_texture);
    RUNTIME_CALL(cuTexObjectCreate(object, &driver_resource, &driver_texture, view));
}

cudaError_t cudaDestroyTextureObject(CUtexObject object)
{
    RUNTIME_CALL(cuTexObjectDestroy(object));
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource, CUtexObject object)
{
    CUDA_RESOURCE_DESC from;
    CUresult result = runtime_enter();
    if (result == CUDA_SUCCESS)
        result = resource ? cuTexObjectGetResourceDesc(&from, object) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        resource_from_driver(&from, resource);
    return runtime_leave(result);
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *texture, CUtexObject object)
{
    CUDA_TEXTURE_DESC from;
    CUresult result = runtime_enter();
    if (result == CUDA_SUCCESS)
        result = texture ? cuTexObjectGetTextureDesc(&from, object) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return runtime_leave(result);
    *texture = (cudaTextureDesc){
        .addressMode = {(int)from.addressMode[0], (int)from.addressMode[1], (int)from.addressMode[2]},
        .filterMode = (int)from.filterMode,
        .readMode = !(from.flags & CU_TRSF_READ_AS_INTEGER),
        .sRGB = (from.flags & CU_TRSF_SRGB) != 0,
        .normalizedCoords = (from.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0,
        .maxAnisotropy = from.maxAnisotropy,
        .mipmapFilterMode = (int)from.mipmapFilterMode,
        .mipmapLevelBias = from.mipmapLevelBias,
        .minMipmapLevelClamp = from.minMipmapLevelClamp,
        .maxMipmapLevelClamp = from.maxMipmapLevelClamp,
        .disableTrilinearOptimization = (from.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0,
        .seamlessCubemap = (from.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0,
    };
    memcpy(texture->borderColor, from.borderColor, sizeof texture->borderColor);
    return runtime_leave(CUDA_SUCCESS);
}

cudaError_t cudaGetTextureObjectResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *view, CUtexObject object)
{
    RUNTIME_CALL(cuTexObjectGetResourceViewDesc(view, object));
}

cudaError_t cudaCreateSurfaceObject(CUsurfObject *object, const cudaResourceDesc *resource)
{
    CUDA_RESOURCE_DESC driver_resource;
    if (!object || !resource || !resource_to_driver(resource, &driver_resource))
        return runtime_fail(cudaErrorInvalidValue);
    RUNTIME_CALL(cuSurfObjectCreate(object, &driver_resource));
}

cudaError_t cudaDestroySurfaceObject(CUsurfObject object)
{
    RUNTIME_CALL(cuSurfObjectDestroy(object));
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *resource, CUsurfObject object)
{
    CUDA_RESOURCE_DESC from;
    CUresult result = runtime_enter();
    if (result == CUDA_SUCCESS)
        result = resource ? cuSurfObjectGetResourceDesc(&from, object) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        resource_from_driver(&from, resource);
    return runtime_leave(result);
}
