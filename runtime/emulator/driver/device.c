/* Entry points: the devices, which are all alike, and what they report about themselves. */
#include "runtime/emulator/driver/device.h"

#include <stdio.h>
#include <string.h>

#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"

/* A bus address at which no machine has a GPU, so that it is not mistaken for a real one. */
#define DEVICE_PCI_BUS  0
#define DEVICE_PCI_TEXT "0000:00:0%d.0" /* with the number of the device as its slot */
enum { DEVICE_PCI_TEXT_BYTES = 13 };

/* Enters; demands the device and an `output` to write to. */
static CUresult enter(CUdevice device, const void *output)
{
    CUresult result = driver_enter_any();
    if (result != CUDA_SUCCESS)
        return result;
    if (!output)
        return CUDA_ERROR_INVALID_VALUE;
    return driver_has_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetCount(int *count)
{
    CUresult result = enter(0, count);
    if (result == CUDA_SUCCESS)
        *count = driver_device_count();
    return driver_leave(result);
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    CUresult result = enter(ordinal, device);
    if (result == CUDA_SUCCESS)
        *device = ordinal;
    return driver_leave(result);
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
    CUresult result = enter(device, name);
    if (result == CUDA_SUCCESS && length <= 0)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        snprintf(name, (size_t)length, "%s", driver.profile->name);
    return driver_leave(result);
}

/* The same on every machine: results do not depend on the machine. The last bytes distinguish devices and profiles. */
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    CUresult result = enter(device, uuid);
    if (result == CUDA_SUCCESS) {
        memcpy(uuid->bytes, "lockstep-gpu-\0\0\0", sizeof uuid->bytes);
        uuid->bytes[13] = (char)device;
        uuid->bytes[14] = (char)driver.profile->major;
        uuid->bytes[15] = (char)driver.profile->minor;
    }
    return driver_leave(result);
}
DRIVER_SAME(cuDeviceGetUuid_v2, cuDeviceGetUuid);

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    CUresult result = enter(device, bytes);
    if (result == CUDA_SUCCESS)
        *bytes = driver_memory_bytes();
    return driver_leave(result);
}

CUresult device_get_attribute(CUdevice device, int attribute, int *value)
{
    const struct profile *profile = driver.profile;
    switch (attribute) {
#define ATTRIBUTE(number, name, expression) \
    case number: *value = (int)(expression); return CUDA_SUCCESS;
#include "runtime/emulator/driver/device_attributes.def"
#undef ATTRIBUTE
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    CUresult result = enter(device, value);
    return driver_leave(result == CUDA_SUCCESS ? device_get_attribute(device, (int)attribute, value) : result);
}

CUresult cuDeviceGetProperties(CUdevprop *properties, CUdevice device)
{
    CUresult result = enter(device, properties);
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    const struct profile *profile = driver.profile;
    *properties = (CUdevprop){
        .maxThreadsPerBlock = (int)profile->max_threads_per_block,
        .maxThreadsDim = {(int)profile->max_block[0], (int)profile->max_block[1], (int)profile->max_block[2]},
        .maxGridSize = {(int)profile->max_grid[0], (int)profile->max_grid[1], (int)profile->max_grid[2]},
        .sharedMemPerBlock = (int)profile->shared_per_block,
        .totalConstantMemory = (int)profile->constant_bytes,
        .SIMDWidth = 32,
        .memPitch = INT32_MAX,
        .regsPerBlock = (int)profile->registers_per_block,
        .clockRate = (int)profile->clock_khz,
        .textureAlign = 512,
    };
    return driver_leave(CUDA_SUCCESS);
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    CUresult result = enter(device, major);
    if (result == CUDA_SUCCESS && !minor)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        *major = driver.profile->major;
        *minor = driver.profile->minor;
    }
    return driver_leave(result);
}

CUresult cuDeviceGetPCIBusId(char *text, int length, CUdevice device)
{
    CUresult result = enter(device, text);
    if (result == CUDA_SUCCESS && length < DEVICE_PCI_TEXT_BYTES)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        snprintf(text, (size_t)length, DEVICE_PCI_TEXT, device);
    return driver_leave(result);
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *text)
{
    CUresult result = enter(0, device);
    if (result == CUDA_SUCCESS && !text)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    for (int i = 0; i < driver_device_count(); i++) {
        char own[32];
        snprintf(own, sizeof own, DEVICE_PCI_TEXT, i);
        if (strcmp(text, own) == 0 || strcmp(text, own + 5) == 0) { /* the domain may be left out */
            *device = i;
            return driver_leave(CUDA_SUCCESS);
        }
    }
    return driver_leave(CUDA_ERROR_INVALID_DEVICE);
}
