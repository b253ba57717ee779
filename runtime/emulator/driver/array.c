/* Entry points: CUDA arrays. */
#include "runtime/emulator/driver/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/driver/allocation.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/handle.h"
#include "runtime/emulator/driver/late.h"
#include "runtime/emulator/driver/range.h"

/* The largest sizes, as the device attributes give them. */
enum { MOST_WIDTH = 131072, MOST_HEIGHT = 65536, MOST_DEPTH = 16384, MOST_LAYERED = 32768, MOST_LAYERS = 2048 };
enum { LEVEL_ALIGNMENT = 256, ROW_ALIGNMENT = 16 }; /* bytes; an access to a surface has up to 16 */

struct mipmapped_array {
    CUmipmappedArray handle;
    const struct context *context;
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    struct image image;                /* all levels */
    struct array *level[IMAGE_LEVELS]; /* NULL until asked for */
};

struct array *array_find(CUarray handle)
{
    return handle_find(handle, HANDLE_ARRAY);
}

static struct mipmapped_array *find_mipmap(CUmipmappedArray handle)
{
    return handle_find(handle, HANDLE_MIPMAPPED_ARRAY);
}

bool array_get_mipmap(CUmipmappedArray handle, struct image *image, CUDA_ARRAY3D_DESCRIPTOR *descriptor)
{
    const struct mipmapped_array *found = find_mipmap(handle);
    if (found && image)
        *image = found->image;
    if (found && descriptor)
        *descriptor = found->descriptor;
    return found != NULL;
}

bool array_describe_format(CUarray_format format, unsigned channels, struct image *image)
{
    image->channels = channels;
    image->kind = TEXEL_UNSIGNED;
    switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8: image->channel_bytes = 1; break;
    case CU_AD_FORMAT_UNSIGNED_INT16: image->channel_bytes = 2; break;
    case CU_AD_FORMAT_UNSIGNED_INT32: image->channel_bytes = 4; break;
    case CU_AD_FORMAT_SIGNED_INT8: image->channel_bytes = 1, image->kind = TEXEL_SIGNED; break;
    case CU_AD_FORMAT_SIGNED_INT16: image->channel_bytes = 2, image->kind = TEXEL_SIGNED; break;
    case CU_AD_FORMAT_SIGNED_INT32: image->channel_bytes = 4, image->kind = TEXEL_SIGNED; break;
    case CU_AD_FORMAT_HALF: image->channel_bytes = 2, image->kind = TEXEL_FLOAT; break;
    case CU_AD_FORMAT_FLOAT: image->channel_bytes = 4, image->kind = TEXEL_FLOAT; break;
    default: return false;
    }
    return channels == 1 || channels == 2 || channels == 4;
}

static bool sizes_fit(const CUDA_ARRAY3D_DESCRIPTOR *wanted)
{
    bool layered = wanted->Flags & CUDA_ARRAY3D_LAYERED, cube = wanted->Flags & CUDA_ARRAY3D_CUBEMAP;
    if (wanted->Flags & CUDA_ARRAY3D_TEXTURE_GATHER && (wanted->Height == 0 || (wanted->Depth > 0 && !layered && !cube)))
        return false;
    if (wanted->Width == 0)
        return false;
    if (cube)
        return wanted->Width == wanted->Height && wanted->Width <= MOST_LAYERED
               && (layered ? wanted->Depth > 0 && wanted->Depth % 6 == 0 && wanted->Depth <= MOST_LAYERS
                           : wanted->Depth == 6);
    if (layered)
        return wanted->Width <= MOST_LAYERED && wanted->Height <= MOST_LAYERED && wanted->Depth > 0
               && wanted->Depth <= MOST_LAYERS;
    if (wanted->Depth > 0)
        return wanted->Height > 0 && wanted->Width <= MOST_DEPTH && wanted->Height <= MOST_DEPTH
               && wanted->Depth <= MOST_DEPTH;
    return wanted->Width <= MOST_WIDTH && wanted->Height <= MOST_HEIGHT;
}

/* Fills the image but for addresses. *bytes: of all levels. */
static CUresult lay_out(const CUDA_ARRAY3D_DESCRIPTOR *wanted, unsigned level_count, struct image *image, uint64_t *bytes)
{
    const unsigned known = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP
                           | CUDA_ARRAY3D_TEXTURE_GATHER;
    if (wanted->Flags & ~known)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (!array_describe_format(wanted->Format, wanted->NumChannels, image) || !sizes_fit(wanted))
        return CUDA_ERROR_INVALID_VALUE;
    image->layered = wanted->Flags & CUDA_ARRAY3D_LAYERED;
    image->cube = wanted->Flags & CUDA_ARRAY3D_CUBEMAP;
    bool stacked = image->layered || image->cube;
    image->dimensions = wanted->Height == 0 ? 1 : wanted->Depth == 0 || stacked ? 2 : 3;
    image->width = (uint32_t)wanted->Width;
    image->height = (uint32_t)wanted->Height;
    image->depth = (uint32_t)wanted->Depth;
    image->level_count = level_count;
    uint64_t texel = (uint64_t)image->channels * image->channel_bytes;
    *bytes = 0;
    for (unsigned l = 0; l < level_count; l++) {
        struct image_level *level = &image->levels[l];
        uint32_t height = image->height ? image->height : 1, depth = image->depth ? image->depth : 1;
        level->width = image->width >> l ? image->width >> l : 1;
        level->height = height >> l ? height >> l : 1;
        level->depth = stacked || depth >> l ? depth >> (stacked ? 0 : l) : 1;
        level->row_bytes = (level->width * texel + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
        level->slice_bytes = level->row_bytes * level->height;
        level->address = *bytes;
        *bytes += (level->slice_bytes * level->depth + LEVEL_ALIGNMENT - 1) / LEVEL_ALIGNMENT * LEVEL_ALIGNMENT;
    }
    if (level_count == 1)
        *bytes = image->levels[0].slice_bytes * image->levels[0].depth;
    return CUDA_SUCCESS;
}

/* Nothing can read what lies between rows and between levels: it counts as written. */
static void mark_gaps(struct memory_allocation *allocation, const struct image *image)
{
    for (unsigned l = 0; l < image->level_count; l++) {
        const struct image_level *level = &image->levels[l];
        uint64_t used = (uint64_t)level->width * image->channels * image->channel_bytes;
        uint64_t start = level->address - allocation->address, end = start + level->slice_bytes * level->depth;
        uint64_t next = l + 1 < image->level_count ? level[1].address - allocation->address : allocation->bytes;
        for (uint64_t row = start; used < level->row_bytes && row < end; row += level->row_bytes)
            memory_mark_written(allocation, row + used, level->row_bytes - used);
        if (next > end)
            memory_mark_written(allocation, end, next - end);
    }
}

static CUresult allocate(const struct context *context, const CUDA_ARRAY3D_DESCRIPTOR *wanted, unsigned level_count,
                         struct image *image)
{
    uint64_t bytes;
    CUdeviceptr address;
    CUresult result = lay_out(wanted, level_count, image, &bytes);
    if (result == CUDA_SUCCESS)
        result = allocation_create_device(context, bytes, ALLOCATION_ARRAY, &address);
    if (result != CUDA_SUCCESS)
        return result;
    struct memory_allocation *allocation = memory_find(driver.memory, address);
    allocation->element_bytes = image->channels * image->channel_bytes;
    allocation->columns = image->dimensions > 1 && level_count == 1 ? image->levels[0].row_bytes / allocation->element_bytes
                                                                    : 0;
    for (unsigned l = 0; l < level_count; l++)
        image->levels[l].address += address;
    mark_gaps(allocation, image);
    return CUDA_SUCCESS;
}

static CUresult create(const struct context *context, CUarray *handle, const CUDA_ARRAY3D_DESCRIPTOR *wanted)
{
    if (!handle || !wanted)
        return CUDA_ERROR_INVALID_VALUE;
    struct array *array = calloc(1, sizeof *array);
    if (!array)
        return CUDA_ERROR_OUT_OF_MEMORY;
    array->context = context;
    array->descriptor = *wanted;
    CUresult result = allocate(context, wanted, 1, &array->image);
    if (result == CUDA_SUCCESS && !(array->handle = handle_create(HANDLE_ARRAY, array, context))) {
        allocation_free("cuArrayDestroy", array->image.levels[0].address, ALLOCATION_ARRAY, ALLOCATION_FREE_NOW);
        result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (result == CUDA_SUCCESS)
        *handle = array->handle;
    else
        free(array);
    return result;
}

static void release(struct array *array)
{
    if (!array->parent)
        allocation_free("cuArrayDestroy", array->image.levels[0].address, ALLOCATION_ARRAY, ALLOCATION_FREE_NOW);
    handle_destroy(array->handle);
    free(array);
}

static void release_mipmap(struct mipmapped_array *array)
{
    for (unsigned l = 0; l < IMAGE_LEVELS; l++)
        if (array->level[l])
            release(array->level[l]);
    allocation_free("cuMipmappedArrayDestroy", array->image.levels[0].address, ALLOCATION_ARRAY, ALLOCATION_FREE_NOW);
    handle_destroy(array->handle);
    free(array);
}

void array_destroy_all(const struct context *context)
{
    struct mipmapped_array *mipmap;
    struct array *array;
    for (size_t cursor = 0; (mipmap = handle_next(HANDLE_MIPMAPPED_ARRAY, context, &cursor));)
        release_mipmap(mipmap);
    for (size_t cursor = 0; (array = handle_next(HANDLE_ARRAY, context, &cursor));)
        release(array);
}

static bool fits(size_t start, size_t count, size_t end)
{
    return start <= end && count <= end - start;
}

CUresult array_find_box(const char *call, const char *verb, CUarray handle, const struct array_box *box, uint64_t *address,
                        uint64_t *row_bytes, uint64_t *slice_bytes)
{
    const struct array *array = array_find(handle);
    if (!array)
        return CUDA_ERROR_INVALID_HANDLE;
    const struct image_level *level = &array->image.levels[0];
    *address = level->address + box->z * level->slice_bytes + box->y * level->row_bytes + box->x;
    *row_bytes = level->row_bytes;
    *slice_bytes = level->slice_bytes;
    uint64_t width = (uint64_t)level->width * array->image.channels * array->image.channel_bytes;
    if (fits(box->x, box->width, width) && fits(box->y, box->height, level->height)
        && fits(box->z, box->depth, level->depth))
        return CUDA_SUCCESS;
    struct finding finding;
    range_describe(&finding, FINDING_out_of_bounds, memory_find(driver.memory, level->address), 0);
    finding.has_index = false;
    snprintf(finding.message, sizeof finding.message,
             "%s would %s bytes %zu..%zu of rows %zu..%zu of slices %zu..%zu of an array that has %" PRIu64
             " bytes a row, %u row%s and %u slice%s.",
             call, verb, box->x, box->x + box->width - 1, box->y, box->y + box->height - 1, box->z, box->z + box->depth - 1,
             width, level->height, level->height == 1 ? "" : "s", level->depth, level->depth == 1 ? "" : "s");
    finding_report(&finding);
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *wanted)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    return driver_leave(result == CUDA_SUCCESS ? create(context, array, wanted) : result);
}

CUresult cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *wanted)
{
    struct context *context;
    CUDA_ARRAY3D_DESCRIPTOR descriptor = {0};
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS && !wanted)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        descriptor.Width = wanted->Width;
        descriptor.Height = wanted->Height;
        descriptor.Format = wanted->Format;
        descriptor.NumChannels = wanted->NumChannels;
        result = create(context, array, &descriptor);
    }
    return driver_leave(result);
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *descriptor, CUarray handle)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    const struct array *array = result == CUDA_SUCCESS ? array_find(handle) : NULL;
    if (result == CUDA_SUCCESS && !array)
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS && !descriptor)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *descriptor = array->descriptor;
    return driver_leave(result);
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *descriptor, CUarray handle)
{
    CUDA_ARRAY3D_DESCRIPTOR all;
    CUresult result = cuArray3DGetDescriptor_v2(&all, handle);
    if (result == CUDA_SUCCESS && !descriptor)
        return CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *descriptor = (CUDA_ARRAY_DESCRIPTOR){all.Width, all.Height, all.Format, all.NumChannels};
    return result;
}

CUresult cuArrayDestroy(CUarray handle)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    struct array *array = array_find(handle);
    if (result != CUDA_SUCCESS) {
        if (array)
            allocation_refuse_free(array->image.levels[0].address);
    } else if (!array) {
        result = CUDA_ERROR_INVALID_HANDLE;
    } else if (!array->parent) { /* that of a level does nothing: the mipmapped array owns it */
        late_finish();
        release(array);
    }
    return driver_leave(result);
}

/* ---- levels of detail ---- */

static CUresult create_mipmap(const struct context *context, CUmipmappedArray *handle, const CUDA_ARRAY3D_DESCRIPTOR *wanted,
                              unsigned levels)
{
    if (!handle || !wanted)
        return CUDA_ERROR_INVALID_VALUE;
    size_t longest = wanted->Width > wanted->Height ? wanted->Width : wanted->Height;
    if (!(wanted->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) && wanted->Depth > longest)
        longest = wanted->Depth;
    unsigned most = 1;
    while (longest >> most)
        most++;
    levels = levels < 1 ? 1 : levels > most ? most : levels;
    struct mipmapped_array *array = calloc(1, sizeof *array);
    if (!array)
        return CUDA_ERROR_OUT_OF_MEMORY;
    array->context = context;
    array->descriptor = *wanted;
    CUresult result = levels > IMAGE_LEVELS ? CUDA_ERROR_INVALID_VALUE : allocate(context, wanted, levels, &array->image);
    if (result == CUDA_SUCCESS && !(array->handle = handle_create(HANDLE_MIPMAPPED_ARRAY, array, context))) {
        allocation_free("cuMipmappedArrayDestroy", array->image.levels[0].address, ALLOCATION_ARRAY, ALLOCATION_FREE_NOW);
        result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (result == CUDA_SUCCESS)
        *handle = array->handle;
    else
        free(array);
    return result;
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray *array, const CUDA_ARRAY3D_DESCRIPTOR *wanted, unsigned levels)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    return driver_leave(result == CUDA_SUCCESS ? create_mipmap(context, array, wanted, levels) : result);
}

static CUresult get_level(struct mipmapped_array *parent, CUarray *handle, unsigned number)
{
    if (!parent)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!handle || number >= parent->image.level_count)
        return CUDA_ERROR_INVALID_VALUE;
    struct array *array = parent->level[number];
    if (!array) {
        const struct image_level *level = &parent->image.levels[number];
        if (!(array = calloc(1, sizeof *array)))
            return CUDA_ERROR_OUT_OF_MEMORY;
        array->context = parent->context;
        array->parent = parent->handle;
        array->image = parent->image;
        array->image.level_count = 1;
        array->image.levels[0] = *level;
        array->image.width = level->width;
        array->image.height = parent->image.height ? level->height : 0;
        array->image.depth = parent->image.depth ? level->depth : 0;
        array->descriptor = parent->descriptor;
        array->descriptor.Width = array->image.width;
        array->descriptor.Height = array->image.height;
        array->descriptor.Depth = array->image.depth;
        if (!(array->handle = handle_create(HANDLE_ARRAY, array, parent->context))) {
            free(array);
            return CUDA_ERROR_OUT_OF_MEMORY;
        }
        parent->level[number] = array;
    }
    *handle = array->handle;
    return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayGetLevel(CUarray *level, CUmipmappedArray array, unsigned number)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    return driver_leave(result == CUDA_SUCCESS ? get_level(find_mipmap(array), level, number) : result);
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray handle)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    struct mipmapped_array *array = find_mipmap(handle);
    if (result == CUDA_SUCCESS && !array)
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS) {
        late_finish();
        release_mipmap(array);
    } else if (array) {
        allocation_refuse_free(array->image.levels[0].address);
    }
    return driver_leave(result);
}
