/* Entry points: stream-ordered allocation and the device's one memory pool. An allocation is ready at once, in whatever
 * order work is done; a free is work of its stream. */
#include <stdint.h>

#include "runtime/emulator/driver/allocation.h"
#include "runtime/emulator/driver/call_log.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/handle.h"
#include "runtime/emulator/driver/stream.h"
#include "runtime/emulator/driver/stream_work.h"
#include "runtime/emulator/driver/unordered.h"

enum { ATTRIBUTE_COUNT = CU_MEMPOOL_ATTR_USED_MEM_HIGH + 1 };

static struct pool {
    CUmemoryPool handle;
    uint64_t attributes[ATTRIBUTE_COUNT]; /* those that can be set */
} default_pool = {
    .attributes =
        {
            [CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES] = 1,
            [CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC] = 1,
            [CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES] = 1,
        },
};

static CUresult get_default(CUmemoryPool *pool, CUdevice device)
{
    if (!pool)
        return CUDA_ERROR_INVALID_VALUE;
    if (!driver_has_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    if (!default_pool.handle)
        default_pool.handle = handle_create(HANDLE_POOL, &default_pool, NULL);
    *pool = default_pool.handle;
    return *pool ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
    CUresult result = driver_enter_any();
    return driver_leave(result == CUDA_SUCCESS ? get_default(pool, device) : result);
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device)
{
    return cuDeviceGetDefaultMemPool(pool, device);
}

static CUresult allocate(CUdeviceptr *address, size_t bytes, CUstream stream)
{
    struct context *context;
    bool recorded = false;
    struct stream_work work = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC, .memory = {0, bytes}};
    CUresult result = address && bytes > 0 ? stream_submit(stream, &work, &context, &recorded)
                                           : stream_enter(stream, &context);
    if (result == CUDA_SUCCESS && !recorded)
        result = call_log_begin(CALL_allocate);
    if (result == CUDA_SUCCESS && recorded)
        *address = work.memory.address;
    else if (result == CUDA_SUCCESS && address && bytes == 0)
        *address = 0; /* unlike cuMemAlloc, this is allowed */
    else if (result == CUDA_SUCCESS)
        result = allocation_create_device(context, bytes, ALLOCATION_DEVICE | ALLOCATION_POOLED, address);
    if (result == CUDA_SUCCESS && !recorded && *address) {
        unordered_memory("cuMemAllocAsync", ACCESS_ALLOCATE, memory_find(driver.memory, *address));
        call_log_memory(*address, bytes);
    }
    return driver_leave(result);
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream)
{
    return allocate(address, bytes, stream);
}
DRIVER_SAME(cuMemAllocAsync_ptsz, cuMemAllocAsync);

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream)
{
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS && !handle_find(pool, HANDLE_POOL))
        result = CUDA_ERROR_INVALID_VALUE;
    driver_leave(result);
    return result == CUDA_SUCCESS ? allocate(address, bytes, stream) : result;
}
DRIVER_SAME(cuMemAllocFromPoolAsync_ptsz, cuMemAllocFromPoolAsync);

static CUresult prepare_free(struct context *context, struct stream_work *work, void **memory, bool *at_once)
{
    (void)context;
    *memory = NULL;
    *at_once = work->memory.address == 0;
    return CUDA_SUCCESS;
}

static void free_later(struct context *context, const struct stream_work *work, void *memory)
{
    (void)context;
    (void)memory;
    allocation_free("cuMemFreeAsync", work->memory.address, ALLOCATION_DEVICE, ALLOCATION_FREE_IN_ORDER);
}

static const struct work_manner manner = {.prepare = prepare_free, .run = free_later, .is_free = true};

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
    struct context *context;
    bool recorded;
    struct stream_work work = {.manner = &manner, .type = CU_GRAPH_NODE_TYPE_MEM_FREE, .memory = {address, 0}};
    CUresult result = stream_submit(stream, &work, &context, &recorded);
    if (result == CUDA_SUCCESS && !recorded)
        result = call_log_begin(CALL_free);
    call_log_memory(address, 0);
    if (result == CUDA_SUCCESS && !recorded)
        result = allocation_free("cuMemFreeAsync", address, ALLOCATION_DEVICE, ALLOCATION_FREE_IN_ORDER);
    else if (result != CUDA_SUCCESS)
        allocation_refuse_free(address);
    return driver_leave(result);
}
DRIVER_SAME(cuMemFreeAsync_ptsz, cuMemFreeAsync);

/* Enters and finds the pool. */
static CUresult enter_pool(CUmemoryPool handle, struct pool **pool)
{
    CUresult result = driver_enter_any();
    if (result != CUDA_SUCCESS)
        return result;
    *pool = handle_find(handle, HANDLE_POOL);
    return *pool ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Pools cannot be created, so the only one that can be set is the one that is set. */
CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool handle)
{
    struct pool *pool;
    CUresult result = enter_pool(handle, &pool);
    return driver_leave(result == CUDA_SUCCESS && !driver_has_device(device) ? CUDA_ERROR_INVALID_DEVICE : result);
}

/* Freed memory is released at once, so there is never anything to trim. */
CUresult cuMemPoolTrimTo(CUmemoryPool handle, size_t keep_bytes)
{
    (void)keep_bytes;
    struct pool *pool;
    return driver_leave(enter_pool(handle, &pool));
}

/* The first three attributes are ints, the others 64-bit. */
static bool is_int(int attribute)
{
    return attribute < CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
}

CUresult cuMemPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void *value)
{
    struct pool *pool;
    CUresult result = enter_pool(handle, &pool);
    int number = (int)attribute;
    if (result == CUDA_SUCCESS && (!value || number < 1 || number >= ATTRIBUTE_COUNT))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    bool high = number == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH || number == CU_MEMPOOL_ATTR_USED_MEM_HIGH;
    uint64_t new_value = is_int(number) ? (uint64_t)*(int *)value : *(uint64_t *)value;
    /* current amounts cannot be set, high-water marks only reset */
    if ((number > CU_MEMPOOL_ATTR_RELEASE_THRESHOLD && !high) || (high && new_value != 0))
        return driver_leave(CUDA_ERROR_INVALID_VALUE);
    if (high)
        allocation_pool_reset_high();
    else
        pool->attributes[number] = new_value;
    return driver_leave(CUDA_SUCCESS);
}

CUresult cuMemPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void *value)
{
    struct pool *pool;
    CUresult result = enter_pool(handle, &pool);
    int number = (int)attribute;
    if (result == CUDA_SUCCESS && (!value || number < 1 || number >= ATTRIBUTE_COUNT))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    if (is_int(number))
        *(int *)value = (int)pool->attributes[number];
    else if (number == CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT || number == CU_MEMPOOL_ATTR_USED_MEM_CURRENT)
        *(uint64_t *)value = allocation_pool_used();
    else if (number == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
        *(uint64_t *)value = pool->attributes[number];
    else
        *(uint64_t *)value = allocation_pool_high();
    return driver_leave(CUDA_SUCCESS);
}
