/* Entry points: pinned, registered and managed host memory. All of it is addressed by its host pointer on both sides. */
#include <stdint.h>

#include "runtime/emulator/driver/allocation.h"
#include "runtime/emulator/driver/call_log.h"
#include "runtime/emulator/driver/capture_port.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/order.h"
#include "runtime/emulator/driver/range.h"
#include "runtime/emulator/driver/stream.h"
#include "runtime/emulator/driver/unordered.h"

CUresult cuMemHostAlloc(void **host, size_t bytes, unsigned flags)
{
    struct context *context;
    CUdeviceptr address = 0;
    CUresult result = driver_enter_unsafe(&context);
    const unsigned known = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
    if (result == CUDA_SUCCESS && (!host || flags & ~known))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = call_log_begin(CALL_allocate);
    if (result == CUDA_SUCCESS)
        result = allocation_create_host(context, bytes, ALLOCATION_PINNED | flags, &address);
    if (result == CUDA_SUCCESS) {
        *host = (void *)(uintptr_t)address;
        call_log_memory(address, bytes);
    }
    return driver_leave(result);
}

/* With unified addressing this is cuMemHostAlloc(PORTABLE | DEVICEMAP). */
CUresult cuMemAllocHost_v2(void **host, size_t bytes)
{
    return cuMemHostAlloc(host, bytes, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
}
DRIVER_SAME(cuMemAllocHost, cuMemAllocHost_v2);

CUresult cuMemFreeHost(void *host)
{
    struct context *context;
    CUresult result = driver_enter_unsafe(&context);
    if (result == CUDA_SUCCESS)
        result = call_log_begin(CALL_free);
    call_log_memory((uint64_t)(uintptr_t)host, 0);
    if (result == CUDA_SUCCESS)
        result = allocation_free("cuMemFreeHost", (uint64_t)(uintptr_t)host, ALLOCATION_PINNED, ALLOCATION_FREE_NOW);
    return driver_leave(result);
}

static CUresult register_memory(const struct context *context, void *host, size_t bytes, unsigned flags)
{
    const unsigned known = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_READ_ONLY;
    if (flags & CU_MEMHOSTREGISTER_IOMEMORY)
        return CUDA_ERROR_NOT_PERMITTED;
    uint64_t address = (uint64_t)(uintptr_t)host;
    if (!host || bytes == 0 || flags & ~known || address >= MEMORY_HOST_END || bytes > MEMORY_HOST_END - address)
        return CUDA_ERROR_INVALID_VALUE;
    struct memory_allocation *allocation = memory_find(driver.memory, address);
    if (!allocation || allocation->freed) {
        CUresult result = range_check_registered("cuMemHostRegister", host, bytes, !(flags & CU_MEMHOSTREGISTER_READ_ONLY));
        if (result != CUDA_SUCCESS)
            return result;
    }
    allocation = memory_register(driver.memory, host, bytes);
    if (!allocation)
        return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    allocation->owner = context;
    allocation->flags = ALLOCATION_REGISTERED | flags;
    unordered_share_memory();
    allocation->read_only = (flags & CU_MEMHOSTREGISTER_READ_ONLY) != 0;
    return CUDA_SUCCESS;
}

CUresult cuMemHostRegister_v2(void *host, size_t bytes, unsigned flags)
{
    struct context *context;
    CUresult result = driver_enter_unsafe(&context);
    return driver_leave(result == CUDA_SUCCESS ? register_memory(context, host, bytes, flags) : result);
}
DRIVER_SAME(cuMemHostRegister, cuMemHostRegister_v2);

/* Live host memory that contains the pointer; NULL when the driver does not know it. */
static const struct memory_allocation *find_host(const void *host)
{
    uint64_t address = (uint64_t)(uintptr_t)host;
    if (address >= MEMORY_HOST_END || !memory_translate(driver.memory, address, 1))
        return NULL;
    return memory_find(driver.memory, address);
}

CUresult cuMemHostUnregister(void *host)
{
    struct context *context;
    CUresult result = driver_enter_unsafe(&context);
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    const struct memory_allocation *allocation = find_host(host);
    if (!allocation || allocation->host != host || !(allocation->flags & ALLOCATION_REGISTERED))
        return driver_leave(host ? CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED : CUDA_ERROR_INVALID_VALUE);
    order_host_context(NULL); /* it waits for all work */
    unordered_settle();
    unordered_forget(allocation);
    memory_free(driver.memory, allocation->address);
    return driver_leave(CUDA_SUCCESS);
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *host, unsigned flags)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS && (!address || flags != 0 || !find_host(host)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *address = (CUdeviceptr)(uintptr_t)host;
    return driver_leave(result);
}

CUresult cuMemHostGetFlags(unsigned *flags, void *host)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    const struct memory_allocation *allocation = find_host(host);
    if (!flags || !allocation || !(allocation->flags & ALLOCATION_PINNED))
        return driver_leave(CUDA_ERROR_INVALID_VALUE);
    *flags = allocation->flags & ALLOCATION_HOST_FLAGS;
    return driver_leave(CUDA_SUCCESS);
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags)
{
    struct context *context;
    CUdeviceptr host = 0;
    CUresult result = driver_enter_unsafe(&context);
    if (result == CUDA_SUCCESS && (!address || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = call_log_begin(CALL_allocate);
    if (result == CUDA_SUCCESS)
        result = allocation_create_host(context, bytes, ALLOCATION_MANAGED | flags, &host);
    if (result == CUDA_SUCCESS) {
        *address = host;
        call_log_memory(host, bytes);
    }
    return driver_leave(result);
}

/* Advice and prefetching move nothing here; their arguments are still checked. */
static CUresult check_managed(CUdeviceptr address, size_t bytes)
{
    if (bytes == 0 || !memory_translate(driver.memory, address, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    const struct memory_allocation *allocation = memory_find(driver.memory, address);
    return allocation->flags & ALLOCATION_MANAGED ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, int advice, CUdevice device)
{
    (void)device; /* counts only for some advice, and -1 is the host */
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS && (advice < 1 || advice > 6))
        result = CUDA_ERROR_INVALID_VALUE;
    return driver_leave(result == CUDA_SUCCESS ? check_managed(address, bytes) : result);
}

CUresult cuMemAdvise_v2(CUdeviceptr address, size_t bytes, int advice, CUmemLocation location)
{
    return cuMemAdvise(address, bytes, advice, location.id);
}

CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream)
{
    struct context *context;
    CUresult result = stream_enter(stream, &context);
    if (result == CUDA_SUCCESS && device != -1 && !driver_has_device(device))
        result = CUDA_ERROR_INVALID_DEVICE;
    if (result == CUDA_SUCCESS && capture_port && capture_port->is_captured(stream))
        result = capture_allow(CAPTURE_CALL_STREAM, stream);
    return driver_leave(result == CUDA_SUCCESS ? check_managed(address, bytes) : result);
}
DRIVER_SAME(cuMemPrefetchAsync_ptsz, cuMemPrefetchAsync);

CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t bytes, CUmemLocation location, unsigned flags, CUstream stream)
{
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    return cuMemPrefetchAsync(address, bytes, location.type == 1 ? location.id : -1, stream);
}
DRIVER_SAME(cuMemPrefetchAsync_v2_ptsz, cuMemPrefetchAsync_v2);

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t bytes, unsigned flags)
{
    struct context *context;
    CUresult result = stream_enter(stream, &context);
    if (result == CUDA_SUCCESS && (flags == 0 || flags > CU_MEM_ATTACH_SINGLE))
        result = CUDA_ERROR_INVALID_VALUE;
    return driver_leave(result == CUDA_SUCCESS ? check_managed(address, bytes > 0 ? bytes : 1) : result);
}
DRIVER_SAME(cuStreamAttachMemAsync_ptsz, cuStreamAttachMemAsync);
