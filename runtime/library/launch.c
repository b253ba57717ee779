#include "runtime/library/handles.h"

#include <stdio.h>
#include <string.h>

#include "runtime/base/error.h"
#include "runtime/library/transfer.h"

#define CALL "lockstep_launch"

enum { LAUNCH_MAX_ARGUMENTS = 64 };

static const char axis_names[3] = {'x', 'y', 'z'};

/* ---- limits ------------------------------------------------------------------------------------------------------- */

__attribute__((noinline)) static lockstep_status refuse_dimension(const lockstep_kernel *kernel, const char *what, int axis,
                                                                  uint32_t value, int limit, lockstep_error *error)
{
    if (value == 0)
        return error_set(error, LOCKSTEP_LAUNCH_REFUSED, CALL, "Round the number of blocks up: (n + threads - 1) / threads.",
                         "kernel `%.100s`: %s.%c is 0; it must be at least 1", kernel->name, what, axis_names[axis]);
    return error_set(error, LOCKSTEP_LAUNCH_REFUSED, CALL,
                     axis == 0 ? "Let each thread do more than one element." : "Put the largest dimension along x.",
                     "kernel `%.100s`: %s.%c is %u; the device allows at most %d", kernel->name, what, axis_names[axis],
                     value, limit);
}

__attribute__((noinline)) static lockstep_status refuse_threads(const lockstep_kernel *kernel, const uint32_t block[3],
                                                                uint64_t threads, lockstep_error *error)
{
    char shape[64];
    snprintf(shape, sizeof shape, "%u x %u x %u = %llu", block[0], block[1], block[2], (unsigned long long)threads);
    int device_limit = kernel->device->info.max_threads_per_block;
    if (threads > (uint64_t)device_limit)
        return error_set(error, LOCKSTEP_LAUNCH_REFUSED, CALL, "Use smaller blocks and more of them.",
                         "kernel `%.100s`: a block of %s threads; the device allows at most %d", kernel->name, shape,
                         device_limit);
    return error_set(
        error, LOCKSTEP_LAUNCH_REFUSED, CALL,
        "Use smaller blocks, or compile the kernel for this block size with __launch_bounds__.",
        "kernel `%.100s`: a block of %s threads; this kernel allows at most %d (__launch_bounds__, or %d registers per "
        "thread)",
        kernel->name, shape, kernel->info.max_threads_per_block, kernel->info.registers);
}

/* Shared memory beyond the default limit must be granted to the kernel once; later launches pay nothing for it. */
__attribute__((noinline)) static lockstep_status grant_shared(lockstep_kernel *kernel, uint32_t dynamic_bytes,
                                                              lockstep_error *error)
{
    lockstep_device *device = kernel->device;
    int64_t limit = device->info.shared_per_block_optin, fixed = kernel->info.shared_bytes;
    if (fixed + (int64_t)dynamic_bytes > limit)
        return error_set(
            error, LOCKSTEP_LAUNCH_REFUSED, CALL, "Use less shared memory per block.",
            "kernel `%.100s`: %lld bytes of shared memory per block (%lld static + %u dynamic); the device allows at most "
            "%lld",
            kernel->name, (long long)(fixed + dynamic_bytes), (long long)fixed, dynamic_bytes, (long long)limit);
    CUresult result = device->driver.cuFuncSetAttribute(kernel->handle, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                        (int)dynamic_bytes);
    lockstep_status status = driver_check(&device->driver, result, "cuFuncSetAttribute", error,
                                          "granting kernel `%.100s` %u bytes of dynamic shared memory", kernel->name,
                                          dynamic_bytes);
    if (status == LOCKSTEP_OK)
        kernel->dynamic_shared_granted = dynamic_bytes;
    return status;
}

/* Fills grid and block, where 0 in y and z counts as 1, and checks what the device and the kernel allow. */
static inline lockstep_status check_shape(lockstep_kernel *kernel, const lockstep_shape *shape, uint32_t grid[3],
                                          uint32_t block[3], lockstep_error *error)
{
    const lockstep_device_info *info = &kernel->device->info;
    for (int axis = 0; axis < 3; axis++) {
        grid[axis] = shape->grid[axis] + (axis > 0 && shape->grid[axis] == 0);
        block[axis] = shape->block[axis] + (axis > 0 && shape->block[axis] == 0);
        if (grid[axis] - 1u >= (uint32_t)info->max_grid[axis])
            return refuse_dimension(kernel, "grid", axis, grid[axis], info->max_grid[axis], error);
        if (block[axis] - 1u >= (uint32_t)info->max_block[axis])
            return refuse_dimension(kernel, "block", axis, block[axis], info->max_block[axis], error);
    }
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2]; /* each about 1024 at most: cannot overflow */
    if (threads > (uint64_t)kernel->info.max_threads_per_block)
        return refuse_threads(kernel, block, threads, error);
    if (shape->dynamic_shared_bytes > kernel->dynamic_shared_granted)
        return grant_shared(kernel, shape->dynamic_shared_bytes, error);
    return LOCKSTEP_OK;
}

/* ---- the launch --------------------------------------------------------------------------------------------------- */

__attribute__((noinline)) static lockstep_status describe_refusal(const lockstep_kernel *kernel, const uint32_t grid[3],
                                                                  const uint32_t block[3], const lockstep_shape *shape,
                                                                  CUresult result, lockstep_error *error)
{
    const lockstep_device *device = kernel->device;
    const struct driver *driver = &device->driver;
    const char *call = shape->cooperative ? "cuLaunchCooperativeKernel" : "cuLaunchKernel";
    unsigned long long blocks = (unsigned long long)grid[0] * grid[1] * grid[2];
    int resident = 0, threads = (int)(block[0] * block[1] * block[2]);
    if (shape->cooperative && !device->cooperative)
        return error_set(error, LOCKSTEP_LAUNCH_REFUSED, call, "Split the kernel at its grid barrier.",
                         "kernel `%.100s`: %s does not support cooperative launches", kernel->name, device->info.name);
    if (result == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE
        && driver->cuOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel->handle, threads,
                                                               shape->dynamic_shared_bytes)
               == CUDA_SUCCESS)
        return driver_check(driver, result, call, error,
                            "kernel `%.100s`: %llu blocks; at most %lld of this shape can run at the same time",
                            kernel->name, blocks, (long long)resident * device->info.multiprocessors);
    lockstep_status status =
        driver_check(driver, result, call, error,
                     "launching kernel `%.100s` with %u x %u x %u blocks of %u x %u x %u threads, %d registers "
                     "per thread, %lld bytes of shared memory per block",
                     kernel->name, grid[0], grid[1], grid[2], block[0], block[1], block[2], kernel->info.registers,
                     (long long)kernel->info.shared_bytes + shape->dynamic_shared_bytes);
    if (result == CUDA_ERROR_INVALID_VALUE) { /* the driver means the shape: the arguments are our own pointers */
        status = LOCKSTEP_LAUNCH_REFUSED;
        if (error)
            error->status = status;
    }
    return status;
}

static inline lockstep_status launch(lockstep_kernel *kernel, const uint32_t grid[3], const uint32_t block[3],
                                     const lockstep_shape *shape, void **parameters, lockstep_stream *stream,
                                     lockstep_error *error)
{
    const struct driver *driver = &kernel->device->driver;
    CUstream handle = stream ? stream->handle : NULL;
    CUresult result;
    if (shape->cooperative)
        result = driver->cuLaunchCooperativeKernel(kernel->handle, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                                   shape->dynamic_shared_bytes, handle, parameters);
    else
        result = driver->cuLaunchKernel(kernel->handle, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                        shape->dynamic_shared_bytes, handle, parameters, NULL);
    return result == CUDA_SUCCESS ? LOCKSTEP_OK : describe_refusal(kernel, grid, block, shape, result, error);
}

/* ---- In, Out, InOut ----------------------------------------------------------------------------------------------- */

static bool is_transfer(const lockstep_argument *argument)
{
    return argument->kind >= LOCKSTEP_ARGUMENT_IN;
}

/* Allocates and uploads for one argument; a copy that fails leaves *address for the caller to free. */
static lockstep_status send(const lockstep_kernel *kernel, size_t index, const lockstep_argument *argument,
                            CUdeviceptr *address, lockstep_error *error)
{
    const struct driver *driver = &kernel->device->driver;
    if (!argument->host || argument->bytes == 0)
        return error_set(error, LOCKSTEP_INVALID_ARGUMENT, CALL, NULL, "argument %zu of kernel `%.100s` is an empty array",
                         index + 1, kernel->name);
    lockstep_status status = driver_check(driver, driver->cuMemAlloc(address, argument->bytes), "cuMemAlloc", error,
                                          "allocating %zu bytes for argument %zu of kernel `%.100s`", argument->bytes,
                                          index + 1, kernel->name);
    if (status != LOCKSTEP_OK) {
        *address = 0;
        return status;
    }
    if (argument->kind == LOCKSTEP_ARGUMENT_OUT)
        return LOCKSTEP_OK;
    CUresult result = transfer_to_device(kernel->device, *address, argument->host, argument->bytes);
    return driver_check(driver, result, "cuMemcpyHtoD", error, "copying %zu bytes to argument %zu of kernel `%.100s`",
                        argument->bytes, index + 1, kernel->name);
}

static lockstep_status receive(const lockstep_kernel *kernel, const lockstep_argument *arguments, size_t count,
                               const CUdeviceptr *addresses, lockstep_error *error)
{
    const struct driver *driver = &kernel->device->driver;
    for (size_t at = 0; at < count; at++) {
        if (arguments[at].kind != LOCKSTEP_ARGUMENT_OUT && arguments[at].kind != LOCKSTEP_ARGUMENT_IN_OUT)
            continue;
        CUresult result = transfer_from_device(kernel->device, (void *)(uintptr_t)arguments[at].host, addresses[at],
                                               arguments[at].bytes);
        if (result != CUDA_SUCCESS)
            return driver_check(driver, result, "cuMemcpyDtoH", error,
                                "copying %zu bytes from argument %zu of kernel `%.100s`", arguments[at].bytes, at + 1,
                                kernel->name);
    }
    return LOCKSTEP_OK;
}

__attribute__((noinline)) static lockstep_status launch_with_transfers(lockstep_kernel *kernel, const uint32_t grid[3],
                                                                       const uint32_t block[3], const lockstep_shape *shape,
                                                                       const lockstep_argument *arguments, size_t count,
                                                                       void *const *values, lockstep_stream *stream,
                                                                       lockstep_error *error)
{
    const struct driver *driver = &kernel->device->driver;
    CUdeviceptr addresses[LAUNCH_MAX_ARGUMENTS] = {0};
    void *parameters[LAUNCH_MAX_ARGUMENTS]; /* the caller's values; for the transfers, our own addresses */
    memcpy(parameters, values, count * sizeof *parameters);
    lockstep_status status = LOCKSTEP_OK;
    for (size_t at = 0; at < count && status == LOCKSTEP_OK; at++) {
        if (!is_transfer(&arguments[at]))
            continue;
        status = send(kernel, at, &arguments[at], &addresses[at], error);
        parameters[at] = &addresses[at];
    }
    if (status == LOCKSTEP_OK)
        status = launch(kernel, grid, block, shape, parameters, stream, error);
    if (status == LOCKSTEP_OK)
        status = driver_check(driver, driver->cuStreamSynchronize(stream ? stream->handle : NULL), "cuStreamSynchronize",
                              error, "running kernel `%.100s`", kernel->name);
    if (status == LOCKSTEP_OK)
        status = receive(kernel, arguments, count, addresses, error);
    for (size_t at = 0; at < count; at++)
        if (addresses[at])
            driver->cuMemFree(addresses[at]);
    return status;
}

/* ---- arguments ---------------------------------------------------------------------------------------------------- */

__attribute__((noinline)) static lockstep_status refuse_count(const lockstep_kernel *kernel, size_t count,
                                                              lockstep_error *error)
{
    if (count > LAUNCH_MAX_ARGUMENTS)
        return error_set(error, LOCKSTEP_INVALID_ARGUMENT, CALL, "Pass a struct instead.",
                         "%zu arguments; at most %d are possible", count, LAUNCH_MAX_ARGUMENTS);
    return error_set(
        error, LOCKSTEP_INVALID_ARGUMENT, CALL, "Pass one argument per parameter of the kernel, in the same order.",
        "kernel `%.100s` has %zu parameter%s; the launch has %zu argument%s", kernel->name, kernel->entry->parameter_count,
        kernel->entry->parameter_count == 1 ? "" : "s", count, count == 1 ? "" : "s");
}

__attribute__((noinline)) static lockstep_status refuse_argument(const lockstep_kernel *kernel, size_t index,
                                                                 const lockstep_argument *argument, size_t bytes,
                                                                 lockstep_error *error)
{
    if (bytes == 0)
        return error_set(error, LOCKSTEP_INVALID_ARGUMENT, CALL, NULL,
                         "argument %zu of kernel `%.100s` is NULL or of an unknown kind", index + 1, kernel->name);
    return error_set(error, LOCKSTEP_INVALID_ARGUMENT, CALL,
                     "Pass a variable of the parameter's own type: int for int, float for float, a buffer for a pointer.",
                     "argument %zu of kernel `%.100s` has %zu bytes%s; its parameter has %u", index + 1, kernel->name, bytes,
                     argument->kind == LOCKSTEP_ARGUMENT_VALUE ? "" : " (a pointer)", kernel->entry->parameter_bytes[index]);
}

lockstep_status lockstep_launch(lockstep_kernel *kernel, const lockstep_shape *shape, const lockstep_argument *arguments,
                                size_t argument_count, lockstep_stream *stream, lockstep_error *error)
{
    uint32_t grid[3] = {0}, block[3] = {0};
    void *parameters[LAUNCH_MAX_ARGUMENTS] = {NULL};
    bool transfers = false;
    const struct ptx_entry *entry = kernel->entry;
    if (argument_count > LAUNCH_MAX_ARGUMENTS || (entry->parameters_known && entry->parameter_count != argument_count))
        return refuse_count(kernel, argument_count, error);
    for (size_t at = 0; at < argument_count; at++) {
        const lockstep_argument *argument = &arguments[at];
        size_t bytes = sizeof(CUdeviceptr);
        if (argument->kind == LOCKSTEP_ARGUMENT_BUFFER && argument->buffer) {
            parameters[at] = &argument->buffer->address;
        } else if (argument->kind == LOCKSTEP_ARGUMENT_VALUE && argument->host) {
            parameters[at] = (void *)(uintptr_t)argument->host;
            bytes = argument->bytes;
        } else if (is_transfer(argument) && argument->kind <= LOCKSTEP_ARGUMENT_IN_OUT) {
            transfers = true;
        } else {
            bytes = 0;
        }
        if (bytes == 0 || (entry->parameters_known && bytes != entry->parameter_bytes[at]))
            return refuse_argument(kernel, at, argument, bytes, error);
    }
    lockstep_status status = check_shape(kernel, shape, grid, block, error);
    if (status != LOCKSTEP_OK)
        return status;
    if (transfers)
        return launch_with_transfers(kernel, grid, block, shape, arguments, argument_count, parameters, stream, error);
    return launch(kernel, grid, block, shape, parameters, stream, error);
}
