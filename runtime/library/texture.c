#include "runtime/library/handles.h"

#include <stdlib.h>

#include "runtime/base/error.h"

struct lockstep_texture {
    const lockstep_buffer *buffer;
    lockstep_texture_layout layout;
    CUarray array; /* of two dimensions; else NULL */
    CUtexObject object;
};

/* Returns false when no texture has such elements. */
static bool find_format(const lockstep_texture_layout *layout, CUarray_format *format)
{
    static const struct {
        lockstep_texel_kind kind;
        unsigned bytes;
        CUarray_format format;
    } rows[] = {
        {LOCKSTEP_TEXEL_UNSIGNED, 1, CU_AD_FORMAT_UNSIGNED_INT8},
        {LOCKSTEP_TEXEL_UNSIGNED, 2, CU_AD_FORMAT_UNSIGNED_INT16},
        {LOCKSTEP_TEXEL_UNSIGNED, 4, CU_AD_FORMAT_UNSIGNED_INT32},
        {LOCKSTEP_TEXEL_SIGNED, 1, CU_AD_FORMAT_SIGNED_INT8},
        {LOCKSTEP_TEXEL_SIGNED, 2, CU_AD_FORMAT_SIGNED_INT16},
        {LOCKSTEP_TEXEL_SIGNED, 4, CU_AD_FORMAT_SIGNED_INT32},
        {LOCKSTEP_TEXEL_FLOAT, 2, CU_AD_FORMAT_HALF},
        {LOCKSTEP_TEXEL_FLOAT, 4, CU_AD_FORMAT_FLOAT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].kind == layout->kind && rows[i].bytes == layout->element_bytes) {
            *format = rows[i].format;
            return true;
        }
    return false;
}

/* Returns false when the elements reach beyond the buffer. */
static bool fits(const lockstep_buffer *buffer, const lockstep_texture_layout *layout)
{
    size_t room = layout->offset <= buffer->bytes ? (buffer->bytes - layout->offset) / layout->element_bytes : 0;
    size_t rows = layout->rows > 0 ? layout->rows : 1;
    return layout->columns > 0 && layout->columns <= room && rows <= room / layout->columns;
}

static CUresult make_array(lockstep_texture *texture, CUarray_format format)
{
    const lockstep_texture_layout *layout = &texture->layout;
    CUDA_ARRAY_DESCRIPTOR description = {
        .Width = layout->columns, .Height = layout->rows, .Format = format, .NumChannels = 1};
    return texture->buffer->device->driver.cuArrayCreate(&texture->array, &description);
}

static CUresult make_object(lockstep_texture *texture, CUarray_format format)
{
    const lockstep_texture_layout *layout = &texture->layout;
    CUDA_RESOURCE_DESC resource = {.resType = texture->array ? CU_RESOURCE_TYPE_ARRAY : CU_RESOURCE_TYPE_LINEAR};
    CUDA_TEXTURE_DESC description = {
        .addressMode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP},
        .filterMode = CU_TR_FILTER_MODE_POINT,
        .flags = layout->kind == LOCKSTEP_TEXEL_FLOAT ? 0 : CU_TRSF_READ_AS_INTEGER};
    if (texture->array) {
        resource.res.array.hArray = texture->array;
    } else {
        resource.res.linear.devPtr = texture->buffer->address + layout->offset;
        resource.res.linear.format = format;
        resource.res.linear.numChannels = 1;
        resource.res.linear.sizeInBytes = layout->columns * layout->element_bytes;
    }
    return texture->buffer->device->driver.cuTexObjectCreate(&texture->object, &resource, &description, NULL);
}

lockstep_status lockstep_texture_create(const lockstep_buffer *buffer, const lockstep_texture_layout *layout,
                                        lockstep_texture **texture, lockstep_error *error)
{
    CUarray_format format;
    *texture = NULL;
    if (!find_format(layout, &format) || !fits(buffer, layout))
        return error_set(error, LOCKSTEP_INVALID_ARGUMENT, "lockstep_texture_create",
                         "Elements have 1, 2 or 4 bytes, floats 2 or 4, and all of them lie in the buffer.",
                         "%zu x %zu elements of %u bytes at offset %zu of `%s`, which has %zu bytes", layout->columns,
                         layout->rows, layout->element_bytes, layout->offset, buffer->label, buffer->bytes);
    lockstep_texture *created = calloc(1, sizeof *created);
    if (!created)
        return error_host_memory(error, "lockstep_texture_create", sizeof *created);
    created->buffer = buffer;
    created->layout = *layout;
    const struct driver *driver = &buffer->device->driver;
    lockstep_status status = LOCKSTEP_OK;
    if (layout->rows > 0)
        status = driver_check(driver, make_array(created, format), "cuArrayCreate", error,
                              "making an array of %zu x %zu elements for a texture of `%s`", layout->columns, layout->rows,
                              buffer->label);
    if (status == LOCKSTEP_OK)
        status = lockstep_texture_refresh(created, error);
    if (status == LOCKSTEP_OK)
        status = driver_check(driver, make_object(created, format), "cuTexObjectCreate", error, "making a texture of `%s`",
                              buffer->label);
    if (status != LOCKSTEP_OK) {
        lockstep_texture_destroy(created);
        return status;
    }
    *texture = created;
    return LOCKSTEP_OK;
}

lockstep_status lockstep_texture_refresh(lockstep_texture *texture, lockstep_error *error)
{
    const lockstep_texture_layout *layout = &texture->layout;
    const struct driver *driver = &texture->buffer->device->driver;
    size_t row_bytes = layout->columns * layout->element_bytes;
    CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = texture->buffer->address + layout->offset,
                          .srcPitch = row_bytes,
                          .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                          .dstArray = texture->array,
                          .WidthInBytes = row_bytes,
                          .Height = layout->rows};
    if (!texture->array)
        return LOCKSTEP_OK;
    return driver_check(driver, driver->cuMemcpy2D(&copy), "cuMemcpy2D", error, "copying `%s` into its texture",
                        texture->buffer->label);
}

uint64_t lockstep_texture_handle(const lockstep_texture *texture)
{
    return texture->object;
}

void lockstep_texture_destroy(lockstep_texture *texture)
{
    if (!texture)
        return;
    const struct driver *driver = &texture->buffer->device->driver;
    if (texture->object)
        driver->cuTexObjectDestroy(texture->object);
    if (texture->array)
        driver->cuArrayDestroy(texture->array);
    free(texture);
}
