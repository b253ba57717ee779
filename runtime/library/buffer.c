#include "runtime/library/handles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "runtime/library/transfer.h"

/* How messages name a buffer. */
static const char *shown(const lockstep_buffer *buffer)
{
    return buffer->label[0] ? buffer->label : "a buffer without a label";
}

/* The emulated driver's own calls answer with a CUresult. */
static lockstep_status check_emulated(const lockstep_buffer *buffer, int result, const char *call, lockstep_error *error)
{
    return driver_check(&buffer->device->driver, (CUresult)result, call, error, "`%s` (%zu bytes)", shown(buffer),
                        buffer->bytes);
}

lockstep_status lockstep_buffer_create(lockstep_device *device, size_t bytes, const char *label, lockstep_buffer **buffer,
                                       lockstep_error *error)
{
    *buffer = NULL;
    const char *name = label && *label ? label : "a buffer without a label";
    if (bytes == 0)
        return error_set(error, LOCKSTEP_INVALID_ARGUMENT, "lockstep_buffer_create", "Allocate at least one byte.",
                         "`%.60s` would have 0 bytes", name);
    lockstep_buffer *created = calloc(1, sizeof *created);
    if (!created)
        return error_host_memory(error, "lockstep_buffer_create", sizeof *created);
    created->device = device;
    created->bytes = bytes;
    snprintf(created->label, sizeof created->label, "%s", label ? label : "");
    lockstep_status status = driver_check(&device->driver, device->driver.cuMemAlloc(&created->address, bytes), "cuMemAlloc",
                                          error, "allocating %zu bytes for `%.60s` on %s (%llu bytes of memory)", bytes,
                                          name, device->info.name, (unsigned long long)device->info.memory_bytes);
    if (status != LOCKSTEP_OK) {
        free(created);
        return status;
    }
    if (device->driver.name_memory && created->label[0]) {
        status = check_emulated(created, device->driver.name_memory(created->address, created->label, 0, 0),
                                LOCKSTEP_NAME_MEMORY_NAME, error);
        if (status != LOCKSTEP_OK) {
            lockstep_buffer_destroy(created);
            return status;
        }
    }
    *buffer = created;
    return LOCKSTEP_OK;
}

void lockstep_buffer_destroy(lockstep_buffer *buffer)
{
    if (!buffer)
        return;
    buffer->device->driver.cuMemFree(buffer->address);
    free(buffer);
}

uint64_t lockstep_buffer_address(const lockstep_buffer *buffer)
{
    return buffer->address;
}

size_t lockstep_buffer_bytes(const lockstep_buffer *buffer)
{
    return buffer->bytes;
}

/* The one range check of the buffers; written so that no sum can overflow. */
static lockstep_status check_range(const lockstep_buffer *buffer, size_t offset, const void *host, size_t bytes,
                                   const char *call, lockstep_error *error)
{
    if (offset > buffer->bytes || bytes > buffer->bytes - offset)
        return error_set(error, LOCKSTEP_INVALID_ARGUMENT, call, "Copy at most what the buffer holds.",
                         "%zu bytes at offset %zu do not fit `%s`, which has %zu bytes", bytes, offset, shown(buffer),
                         buffer->bytes);
    if (!host && bytes > 0)
        return error_set(error, LOCKSTEP_INVALID_ARGUMENT, call, NULL, "the host memory for `%s` is NULL", shown(buffer));
    return LOCKSTEP_OK;
}

lockstep_status lockstep_buffer_upload(lockstep_buffer *buffer, size_t offset, const void *host, size_t bytes,
                                       lockstep_error *error)
{
    lockstep_status status = check_range(buffer, offset, host, bytes, "lockstep_buffer_upload", error);
    if (status != LOCKSTEP_OK || bytes == 0)
        return status;
    CUresult result = transfer_to_device(buffer->device, buffer->address + offset, host, bytes);
    return driver_check(&buffer->device->driver, result, "cuMemcpyHtoD", error, "copying %zu bytes to `%s`", bytes,
                        shown(buffer));
}

lockstep_status lockstep_buffer_download(const lockstep_buffer *buffer, size_t offset, void *host, size_t bytes,
                                         lockstep_error *error)
{
    lockstep_status status = check_range(buffer, offset, host, bytes, "lockstep_buffer_download", error);
    if (status != LOCKSTEP_OK || bytes == 0)
        return status;
    CUresult result = transfer_from_device(buffer->device, host, buffer->address + offset, bytes);
    return driver_check(&buffer->device->driver, result, "cuMemcpyDtoH", error, "copying %zu bytes from `%s`", bytes,
                        shown(buffer));
}

lockstep_status lockstep_buffer_fill(lockstep_buffer *buffer, uint8_t value, lockstep_error *error)
{
    const struct driver *driver = &buffer->device->driver;
    return driver_check(driver, driver->cuMemsetD8(buffer->address, value, buffer->bytes), "cuMemsetD8", error,
                        "filling `%s` (%zu bytes)", shown(buffer), buffer->bytes);
}

lockstep_status lockstep_buffer_describe(lockstep_buffer *buffer, unsigned element_bytes, uint64_t columns,
                                         lockstep_error *error)
{
    const struct driver *driver = &buffer->device->driver;
    if (!driver->name_memory)
        return LOCKSTEP_OK;
    return check_emulated(buffer, driver->name_memory(buffer->address, buffer->label, element_bytes, columns),
                          LOCKSTEP_NAME_MEMORY_NAME, error);
}

lockstep_status lockstep_buffer_poison(lockstep_buffer *buffer, lockstep_error *error)
{
    const struct driver *driver = &buffer->device->driver;
    if (!driver->poison_memory)
        return LOCKSTEP_OK;
    return check_emulated(buffer, driver->poison_memory(buffer->address, buffer->bytes), LOCKSTEP_POISON_MEMORY_NAME, error);
}

lockstep_status lockstep_buffer_protect(lockstep_buffer *buffer, bool read_only, lockstep_error *error)
{
    const struct driver *driver = &buffer->device->driver;
    if (!driver->protect_memory)
        return LOCKSTEP_OK;
    return check_emulated(buffer, driver->protect_memory(buffer->address, read_only), LOCKSTEP_PROTECT_MEMORY_NAME, error);
}

lockstep_status lockstep_buffer_written(const lockstep_buffer *buffer, uint8_t *written, bool *known, lockstep_error *error)
{
    const struct driver *driver = &buffer->device->driver;
    *known = false;
    if (!driver->written_memory)
        return LOCKSTEP_OK;
    int result = driver->written_memory(buffer->address, buffer->bytes, written);
    if (result == CUDA_ERROR_NOT_SUPPORTED)
        return LOCKSTEP_OK;
    *known = result == CUDA_SUCCESS;
    return check_emulated(buffer, result, LOCKSTEP_WRITTEN_MEMORY_NAME, error);
}
