#include "runtime/library/handles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "runtime/library/transfer.h"

static lockstep_status get_attribute(lockstep_device *device, CUdevice_attribute attribute, int *value,
                                     lockstep_error *error)
{
    return driver_check(&device->driver, device->driver.cuDeviceGetAttribute(value, attribute, device->handle),
                        "cuDeviceGetAttribute", error, "reading attribute %d of the device", (int)attribute);
}

static lockstep_status read_info(lockstep_device *device, lockstep_error *error)
{
    lockstep_device_info *info = &device->info;
    int cooperative = 0;
    const struct {
        CUdevice_attribute attribute;
        int *value;
    } attributes[] = {
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &info->major},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &info->minor},
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &info->multiprocessors},
        {CU_DEVICE_ATTRIBUTE_WARP_SIZE, &info->warp_size},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &info->max_threads_per_block},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, &info->max_block[0]},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, &info->max_block[1]},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, &info->max_block[2]},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, &info->max_grid[0]},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, &info->max_grid[1]},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, &info->max_grid[2]},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, &info->shared_per_block},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &info->shared_per_block_optin},
        {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, &info->l2_bytes},
        {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, &info->clock_khz},
        {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, &info->memory_clock_khz},
        {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, &info->memory_bus_bits},
        {CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, &cooperative},
    };
    for (size_t at = 0; at < sizeof attributes / sizeof attributes[0]; at++) {
        lockstep_status status = get_attribute(device, attributes[at].attribute, attributes[at].value, error);
        if (status != LOCKSTEP_OK)
            return status;
    }
    device->cooperative = cooperative != 0;
    if (info->shared_per_block_optin < info->shared_per_block)
        info->shared_per_block_optin = info->shared_per_block;

    const struct driver *driver = &device->driver;
    size_t memory_bytes = 0;
    lockstep_status status = driver_check(driver, driver->cuDeviceGetName(info->name, sizeof info->name, device->handle),
                                          "cuDeviceGetName", error, "reading the name of the device");
    if (status == LOCKSTEP_OK)
        status = driver_check(driver, driver->cuDeviceTotalMem(&memory_bytes, device->handle), "cuDeviceTotalMem", error,
                              "reading the size of the device's memory");
    if (status == LOCKSTEP_OK)
        status = driver_check(driver, driver->cuDriverGetVersion(&info->driver_version), "cuDriverGetVersion", error,
                              "reading the version of the driver");
    info->memory_bytes = memory_bytes;
    info->emulated = driver->emulated;
    snprintf(info->driver_path, sizeof info->driver_path, "%s", driver->path);
    return status;
}

static lockstep_status open_first(lockstep_device *device, lockstep_error *error)
{
    const struct driver *driver = &device->driver;
    int count = 0;
    lockstep_status status = driver_check(driver, driver->cuDeviceGetCount(&count), "cuDeviceGetCount", error,
                                          "counting devices");
    if (status == LOCKSTEP_OK && count < 1)
        status = driver_check(driver, CUDA_ERROR_NO_DEVICE, "cuDeviceGetCount", error, "%s sees no device", driver->path);
    if (status == LOCKSTEP_OK)
        status = driver_check(driver, driver->cuDeviceGet(&device->handle, 0), "cuDeviceGet", error,
                              "opening the first device");
    if (status == LOCKSTEP_OK)
        status = read_info(device, error);
    if (status == LOCKSTEP_OK)
        status = driver_check(driver, driver->cuDevicePrimaryCtxRetain(&device->context, device->handle),
                              "cuDevicePrimaryCtxRetain", error, "making a context on %s", device->info.name);
    if (status != LOCKSTEP_OK)
        return status;
    size_t free_bytes = 0, total_bytes;
    status = lockstep_device_make_current(device, error);
    if (status == LOCKSTEP_OK)
        status = driver_check(driver, driver->cuMemGetInfo(&free_bytes, &total_bytes), "cuMemGetInfo", error,
                              "reading how much memory of %s is free", device->info.name);
    device->info.free_memory_bytes = free_bytes;
    if (status != LOCKSTEP_OK)
        driver->cuDevicePrimaryCtxRelease(device->handle);
    return status;
}

static lockstep_status open_kind(bool emulated, lockstep_device **device, lockstep_error *error)
{
    lockstep_device *opened = calloc(1, sizeof *opened);
    if (!opened)
        return error_host_memory(error, "lockstep_device_open", sizeof *opened);
    struct driver *driver = &opened->driver;
    lockstep_status status = driver_open(emulated, driver, error);
    if (status == LOCKSTEP_OK) {
        status = driver_check(driver, driver->cuInit(0), "cuInit", error, "starting %s", driver->path);
        if (status == LOCKSTEP_OK)
            status = open_first(opened, error);
        else
            driver_close(driver);
    }
    if (status != LOCKSTEP_OK) {
        free(opened);
        return status;
    }
    *device = opened;
    return LOCKSTEP_OK;
}

lockstep_status lockstep_device_open(lockstep_device_kind kind, lockstep_device **device, lockstep_error *error)
{
    if (!device)
        return error_set(error, LOCKSTEP_INVALID_ARGUMENT, "lockstep_device_open", NULL, "device must not be NULL");
    *device = NULL;
    switch (kind) {
    case LOCKSTEP_GPU: return open_kind(false, device, error);
    case LOCKSTEP_EMULATED: return open_kind(true, device, error);
    case LOCKSTEP_AUTO: break;
    default:
        return error_set(error, LOCKSTEP_INVALID_ARGUMENT, "lockstep_device_open", NULL, "there is no device kind %d",
                         (int)kind);
    }
    const char *wanted = getenv("LOCKSTEP_DEVICE");
    if (wanted && strcmp(wanted, "emulated") == 0)
        return open_kind(true, device, error);
    lockstep_error ignored; /* having no GPU is normal for this kind; LOCKSTEP_GPU reports why */
    if (open_kind(false, device, &ignored) == LOCKSTEP_OK)
        return LOCKSTEP_OK;
    return open_kind(true, device, error);
}

void lockstep_device_close(lockstep_device *device)
{
    if (!device)
        return;
    transfer_destroy(device);
    device->driver.cuDevicePrimaryCtxRelease(device->handle);
    free(device);
}

const lockstep_device_info *lockstep_device_get_info(const lockstep_device *device)
{
    return &device->info;
}

lockstep_status lockstep_device_make_current(lockstep_device *device, lockstep_error *error)
{
    return driver_check(&device->driver, device->driver.cuCtxSetCurrent(device->context), "cuCtxSetCurrent", error,
                        "making the context of %s current", device->info.name);
}

lockstep_status lockstep_device_synchronize(lockstep_device *device, lockstep_error *error)
{
    return driver_check(&device->driver, device->driver.cuCtxSynchronize(), "cuCtxSynchronize", error,
                        "waiting for the kernels on %s", device->info.name);
}

lockstep_status lockstep_device_set_schedule(lockstep_device *device, const char *schedule, lockstep_error *error)
{
    if (!device->driver.set_schedule || device->driver.set_schedule(schedule) == CUDA_SUCCESS)
        return LOCKSTEP_OK;
    return error_set(error, LOCKSTEP_INVALID_ARGUMENT, LOCKSTEP_SET_SCHEDULE_NAME,
                     "Choose a name from runtime/tables/schedule.def, and set LOCKSTEP_CHECKS to poison or all.",
                     "the emulated driver cannot run kernels in the order `%s`", schedule);
}

void lockstep_device_set_work(lockstep_device *device, uint64_t units)
{
    if (device->driver.set_work)
        device->driver.set_work(units);
}

uint64_t lockstep_device_work_done(const lockstep_device *device)
{
    return device->driver.work_done ? device->driver.work_done() : 0;
}

lockstep_status lockstep_device_set_repair(lockstep_device *device, const char *request, lockstep_error *error)
{
    if (device->driver.set_repair && device->driver.set_repair(request) == CUDA_SUCCESS)
        return LOCKSTEP_OK;
    if (!device->driver.set_repair && request[0] == '\0')
        return LOCKSTEP_OK;
    return error_set(error, LOCKSTEP_INVALID_ARGUMENT, LOCKSTEP_SET_REPAIR_NAME,
                     "Choose a kind from runtime/tables/repairs.def; only the emulated driver repairs.",
                     "the driver does not know the repair `%s`", request);
}
