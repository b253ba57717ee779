/* Entry points: texture and surface objects. */
#include "runtime/emulator/driver/texture_object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/driver/array.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/handle.h"
#include "runtime/emulator/driver/late.h"
#include "runtime/emulator/driver/range.h"

enum { MOST_LINEAR = 1 << 28, PITCH_ALIGNMENT = 32, ADDRESS_ALIGNMENT = 512 };

struct texture_object {
    void *handle;
    struct texture texture;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC description;
    CUDA_RESOURCE_VIEW_DESC view;
    bool has_view;
};

static void *handle_of(uint64_t number)
{
    return (void *)(uintptr_t)number;
}

static struct texture_object *find(uint64_t number, bool is_surface)
{
    struct texture_object *object = handle_find(handle_of(number), HANDLE_TEXTURE);
    return object && object->texture.is_surface == is_surface ? object : NULL;
}

const struct texture *texture_object_find(uint64_t handle)
{
    const struct texture_object *object = handle_find(handle_of(handle), HANDLE_TEXTURE);
    return object ? &object->texture : NULL;
}

/* ---- what they read ---- */

/* Memory that a program allocated: one row of elements, or rows `pitch` apart. */
static CUresult describe_memory(struct image *image, uint64_t address, uint64_t width, uint64_t height, uint64_t pitch)
{
    uint64_t texel = (uint64_t)image->channels * image->channel_bytes;
    uint64_t bytes = height > 1 ? range_extent(width * texel, height, pitch) : width * texel;
    struct range range;
    if (width == 0 || height == 0 || bytes == 0 || width > MOST_LINEAR || address % ADDRESS_ALIGNMENT)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = range_resolve_device("cuTexObjectCreate", "read", address, bytes, &range);
    if (result != CUDA_SUCCESS)
        return result;
    image->level_count = 1;
    image->width = (uint32_t)width;
    image->levels[0] = (struct image_level){.address = address,
                                            .row_bytes = pitch,
                                            .slice_bytes = pitch * height,
                                            .width = (uint32_t)width,
                                            .height = (uint32_t)height,
                                            .depth = 1};
    return CUDA_SUCCESS;
}

static CUresult describe_linear(const CUDA_RESOURCE_DESC *resource, struct image *image)
{
    if (!array_describe_format(resource->res.linear.format, resource->res.linear.numChannels, image))
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t width = resource->res.linear.sizeInBytes / image->channels / image->channel_bytes;
    image->linear = true;
    image->dimensions = 1;
    return describe_memory(image, resource->res.linear.devPtr, width, 1, width * image->channels * image->channel_bytes);
}

static CUresult describe_pitch(const CUDA_RESOURCE_DESC *resource, struct image *image)
{
    if (!array_describe_format(resource->res.pitch2D.format, resource->res.pitch2D.numChannels, image)
        || resource->res.pitch2D.pitchInBytes % PITCH_ALIGNMENT)
        return CUDA_ERROR_INVALID_VALUE;
    image->dimensions = 2;
    image->height = (uint32_t)resource->res.pitch2D.height;
    return describe_memory(image, resource->res.pitch2D.devPtr, resource->res.pitch2D.width, resource->res.pitch2D.height,
                           resource->res.pitch2D.pitchInBytes);
}

static CUresult describe_resource(const CUDA_RESOURCE_DESC *resource, struct image *image)
{
    const struct array *array;
    switch (resource->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        if (!(array = array_find(resource->res.array.hArray)))
            return CUDA_ERROR_INVALID_HANDLE;
        *image = array->image;
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        return array_get_mipmap(resource->res.mipmap.hMipmappedArray, image, NULL) ? CUDA_SUCCESS
                                                                                   : CUDA_ERROR_INVALID_HANDLE;
    case CU_RESOURCE_TYPE_LINEAR: return describe_linear(resource, image);
    case CU_RESOURCE_TYPE_PITCH2D: return describe_pitch(resource, image);
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

/* A view has the size of the whole array, and shows some of its levels and layers; channels may hold something else of the
 * same width. */
static CUresult apply_view(const CUDA_RESOURCE_VIEW_DESC *view, struct image *image)
{
    static const struct {
        uint8_t kind, bytes, channels;
    } formats[] = {
        [1] = {TEXEL_UNSIGNED, 1, 1},  [2] = {TEXEL_UNSIGNED, 1, 2},  [3] = {TEXEL_UNSIGNED, 1, 4},
        [4] = {TEXEL_SIGNED, 1, 1},    [5] = {TEXEL_SIGNED, 1, 2},    [6] = {TEXEL_SIGNED, 1, 4},
        [7] = {TEXEL_UNSIGNED, 2, 1},  [8] = {TEXEL_UNSIGNED, 2, 2},  [9] = {TEXEL_UNSIGNED, 2, 4},
        [10] = {TEXEL_SIGNED, 2, 1},   [11] = {TEXEL_SIGNED, 2, 2},   [12] = {TEXEL_SIGNED, 2, 4},
        [13] = {TEXEL_UNSIGNED, 4, 1}, [14] = {TEXEL_UNSIGNED, 4, 2}, [15] = {TEXEL_UNSIGNED, 4, 4},
        [16] = {TEXEL_SIGNED, 4, 1},   [17] = {TEXEL_SIGNED, 4, 2},   [18] = {TEXEL_SIGNED, 4, 4},
        [19] = {TEXEL_FLOAT, 2, 1},    [20] = {TEXEL_FLOAT, 2, 2},    [21] = {TEXEL_FLOAT, 2, 4},
        [22] = {TEXEL_FLOAT, 4, 1},    [23] = {TEXEL_FLOAT, 4, 2},    [24] = {TEXEL_FLOAT, 4, 4},
    };
    enum { FORMATS = sizeof formats / sizeof *formats };
    if (view->format < 0 || view->format >= FORMATS) /* compressed blocks */
        return CUDA_ERROR_NOT_SUPPORTED;
    if (view->format > 0) {
        if (formats[view->format].bytes != image->channel_bytes || formats[view->format].channels != image->channels)
            return CUDA_ERROR_INVALID_VALUE;
        image->kind = (enum texel_kind)formats[view->format].kind;
    }
    if (view->width != image->width || view->height != image->height)
        return CUDA_ERROR_INVALID_VALUE;
    unsigned first = view->firstMipmapLevel, last = view->lastMipmapLevel;
    if (first > last || last >= image->level_count)
        return CUDA_ERROR_INVALID_VALUE;
    image->level_count = last - first + 1;
    memmove(image->levels, image->levels + first, image->level_count * sizeof *image->levels);
    if (view->firstLayer == 0 && view->lastLayer == 0)
        return CUDA_SUCCESS;
    if (!image->layered || view->firstLayer > view->lastLayer || view->lastLayer >= image->levels[0].depth)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned l = 0; l < image->level_count; l++) {
        image->levels[l].address += view->firstLayer * image->levels[l].slice_bytes;
        image->levels[l].depth = view->lastLayer - view->firstLayer + 1;
    }
    image->depth = image->levels[0].depth;
    return CUDA_SUCCESS;
}

/* ---- textures ---- */

static CUresult describe_texture(const CUDA_TEXTURE_DESC *wanted, struct texture *texture)
{
    struct image *image = &texture->image;
    for (unsigned k = 0; k < 3; k++) {
        if ((unsigned)wanted->addressMode[k] > CU_TR_ADDRESS_MODE_BORDER)
            return CUDA_ERROR_INVALID_VALUE;
        texture->outside[k] = (enum texel_outside)wanted->addressMode[k];
    }
    texture->normalized_coordinates = wanted->flags & CU_TRSF_NORMALIZED_COORDINATES || image->level_count > 1;
    texture->normalized_values = !(wanted->flags & CU_TRSF_READ_AS_INTEGER) && image->kind != TEXEL_FLOAT
                                 && image->channel_bytes < 4;
    texture->srgb = wanted->flags & CU_TRSF_SRGB;
    texture->seamless = wanted->flags & CU_TRSF_SEAMLESS_CUBEMAP;
    if (texture->seamless && image->cube && wanted->filterMode == CU_TR_FILTER_MODE_LINEAR) {
        fputs("lockstep: a seamless cubemap with a linear filter is not supported: leave CU_TRSF_SEAMLESS_CUBEMAP out\n",
              stderr);
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    for (unsigned k = 0; texture->seamless && k < 3; k++)
        texture->outside[k] = TEXEL_CLAMP;
    texture->blends = wanted->filterMode == CU_TR_FILTER_MODE_LINEAR && !image->linear;
    texture->blends_levels = wanted->mipmapFilterMode == CU_TR_FILTER_MODE_LINEAR;
    memcpy(texture->border, wanted->borderColor, sizeof texture->border);
    texture->level_bias = wanted->mipmapLevelBias;
    texture->level_low = wanted->minMipmapLevelClamp;
    texture->level_high = wanted->maxMipmapLevelClamp;
    if (texture->blends && image->kind != TEXEL_FLOAT && !texture->normalized_values)
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

static CUresult keep(const struct context *context, const struct texture_object *made, unsigned long long *number)
{
    struct texture_object *object = malloc(sizeof *object);
    if (!object)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *object = *made;
    object->handle = handle_create(HANDLE_TEXTURE, object, context);
    if (!object->handle) {
        free(object);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *number = (uintptr_t)object->handle;
    return CUDA_SUCCESS;
}

static CUresult create_texture(const struct context *context, CUtexObject *number, const CUDA_RESOURCE_DESC *resource,
                               const CUDA_TEXTURE_DESC *description, const CUDA_RESOURCE_VIEW_DESC *view)
{
    if (!number || !resource || !description)
        return CUDA_ERROR_INVALID_VALUE;
    struct texture_object object = {.resource = *resource, .description = *description, .has_view = view != NULL};
    CUresult result = describe_resource(resource, &object.texture.image);
    if (result == CUDA_SUCCESS && view) {
        object.view = *view;
        result = apply_view(view, &object.texture.image);
    }
    if (result == CUDA_SUCCESS)
        result = describe_texture(description, &object.texture);
    return result == CUDA_SUCCESS ? keep(context, &object, number) : result;
}

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
                           const CUDA_RESOURCE_VIEW_DESC *view)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    return driver_leave(result == CUDA_SUCCESS ? create_texture(context, object, resource, texture, view) : result);
}

/* ---- surfaces ---- */

static CUresult create_surface(const struct context *context, CUsurfObject *number, const CUDA_RESOURCE_DESC *resource)
{
    if (!number || !resource || resource->resType != CU_RESOURCE_TYPE_ARRAY)
        return CUDA_ERROR_INVALID_VALUE;
    const struct array *array = array_find(resource->res.array.hArray);
    if (!array)
        return CUDA_ERROR_INVALID_HANDLE;
    struct texture_object object = {.resource = *resource, .texture = {.image = array->image, .is_surface = true}};
    return keep(context, &object, number);
}

CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    return driver_leave(result == CUDA_SUCCESS ? create_surface(context, object, resource) : result);
}

/* ---- both ---- */

static void release(struct texture_object *object)
{
    handle_destroy(object->handle);
    free(object);
}

void texture_object_destroy_all(const struct context *context)
{
    struct texture_object *object;
    for (size_t cursor = 0; (object = handle_next(HANDLE_TEXTURE, context, &cursor));)
        release(object);
}

static CUresult destroy(uint64_t number, bool is_surface)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    struct texture_object *object = result == CUDA_SUCCESS ? find(number, is_surface) : NULL;
    if (object) {
        late_finish();
        release(object);
    }
    return driver_leave(result); /* NVIDIA's driver accepts a handle that stands for nothing */
}

CUresult cuTexObjectDestroy(CUtexObject object)
{
    return destroy(object, false);
}

CUresult cuSurfObjectDestroy(CUsurfObject object)
{
    return destroy(object, true);
}

/* Copies a description out of an object. */
static CUresult get(uint64_t number, bool is_surface, size_t offset, size_t bytes, void *to)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    const struct texture_object *object = result == CUDA_SUCCESS ? find(number, is_surface) : NULL;
    if (result == CUDA_SUCCESS && (!object || !to))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        memcpy(to, (const char *)object + offset, bytes);
    return driver_leave(result);
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUtexObject object)
{
    return get(object, false, offsetof(struct texture_object, resource), sizeof *resource, resource);
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *texture, CUtexObject object)
{
    return get(object, false, offsetof(struct texture_object, description), sizeof *texture, texture);
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *view, CUtexObject object)
{
    return get(object, false, offsetof(struct texture_object, view), sizeof *view, view);
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUsurfObject object)
{
    return get(object, true, offsetof(struct texture_object, resource), sizeof *resource, resource);
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *elements, CUarray_format format, unsigned channels, CUdevice device)
{
    struct image image;
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS && (!elements || !array_describe_format(format, channels, &image)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && !driver_has_device(device))
        result = CUDA_ERROR_INVALID_DEVICE;
    if (result == CUDA_SUCCESS)
        *elements = MOST_LINEAR;
    return driver_leave(result);
}
