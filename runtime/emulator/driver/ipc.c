/* Entry points: memory and events of other processes. What is handed over moves to a file in memory, which the other process
 * opens through /proc: both must run for the same user, and the first one must still run. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/emulator/driver/allocation.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/event.h"
#include "runtime/emulator/driver/shared_file.h"
#include "runtime/emulator/machine/mapping.h"

/* What is in the 64 bytes of a handle. */
struct contents {
    char mark[16];
    int32_t process, file;
    uint64_t bytes;
};

_Static_assert(sizeof(struct contents) <= sizeof(CUipcMemHandle), "a handle has room for it");

static const char memory_mark[16] = "lockstep-ipc-m", event_mark[16] = "lockstep-ipc-e";

static CUresult share(struct memory_allocation *allocation)
{
    if (allocation->file)
        return CUDA_SUCCESS;
    uint64_t whole = (allocation->bytes + MAPPING_GRANULE - 1) / MAPPING_GRANULE * MAPPING_GRANULE;
    int file = shared_file_create(&(struct shared_file){whole, 0, allocation->device});
    if (file < 0)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (mapping_share(driver.memory, allocation, file))
        return CUDA_SUCCESS;
    close(file);
    return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr address)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    bool live = result == CUDA_SUCCESS && memory_translate(driver.memory, address, 1);
    struct memory_allocation *allocation = live ? memory_find(driver.memory, address) : NULL;
    const unsigned kind = allocation ? allocation->flags & (ALLOCATION_DEVICE | ALLOCATION_POOLED) : 0;
    if (result == CUDA_SUCCESS && (!handle || kind != ALLOCATION_DEVICE || allocation->reserved))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = share(allocation);
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    struct contents contents = {.process = getpid(), .file = allocation->file, .bytes = allocation->bytes};
    memcpy(contents.mark, memory_mark, sizeof contents.mark);
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &contents, sizeof contents);
    return driver_leave(CUDA_SUCCESS);
}

static CUresult open_memory(const struct context *context, CUdeviceptr *address, const struct contents *contents)
{
    char path[64];
    struct shared_file found;
    if (contents->process == getpid())
        return CUDA_ERROR_INVALID_CONTEXT; /* the owner has an address already */
    snprintf(path, sizeof path, "/proc/%d/fd/%d", contents->process, contents->file);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0 || !shared_file_read(file, &found) || contents->bytes > found.bytes) {
        if (file >= 0)
            close(file);
        return CUDA_ERROR_INVALID_HANDLE; /* freed, or its process has ended */
    }
    struct memory_allocation *allocation = mapping_open(driver.memory, contents->bytes, file);
    close(file); /* the mapping holds it */
    if (!allocation)
        return CUDA_ERROR_OUT_OF_MEMORY;
    allocation_enter(context, allocation, ALLOCATION_OPENED);
    allocation->device = (uint8_t)context->device;
    *address = allocation->address;
    return CUDA_SUCCESS;
}

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *address, CUipcMemHandle handle, unsigned flags)
{
    struct context *context;
    struct contents contents;
    memcpy(&contents, &handle, sizeof contents);
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS && (!address || flags != 1)) /* lazy peer access is the only flag, and must be set */
        result = CUDA_ERROR_INVALID_VALUE;
    else if (result == CUDA_SUCCESS && memcmp(contents.mark, memory_mark, sizeof contents.mark) != 0)
        result = CUDA_ERROR_INVALID_HANDLE;
    return driver_leave(result == CUDA_SUCCESS ? open_memory(context, address, &contents) : result);
}
DRIVER_SAME(cuIpcOpenMemHandle, cuIpcOpenMemHandle_v2);

CUresult cuIpcCloseMemHandle(CUdeviceptr address)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS && address == 0)
        result = CUDA_ERROR_INVALID_VALUE;
    return driver_leave(result == CUDA_SUCCESS
                            ? allocation_free("cuIpcCloseMemHandle", address, ALLOCATION_OPENED, ALLOCATION_FREE_NOW)
                            : result);
}

/* Work is done when the call that asked for it returns. A process that knows, from another one, that an event
 * was recorded there, knows that it was reached: events of another process need no connection to it. */
CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event)
{
    struct context *context;
    struct contents contents = {.process = getpid()};
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS && !event_exists(event))
        result = CUDA_ERROR_INVALID_HANDLE;
    else if (result == CUDA_SUCCESS && (!handle || !(event_flags(event) & CU_EVENT_INTERPROCESS)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    memcpy(contents.mark, event_mark, sizeof contents.mark);
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &contents, sizeof contents);
    return driver_leave(CUDA_SUCCESS);
}

CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle)
{
    struct contents contents;
    memcpy(&contents, &handle, sizeof contents);
    if (!event)
        return CUDA_ERROR_INVALID_VALUE;
    if (memcmp(contents.mark, event_mark, sizeof contents.mark) != 0)
        return CUDA_ERROR_INVALID_HANDLE;
    return cuEventCreate(event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING);
}
