/* Entry points: stream-ordered allocation and memory pools. An allocation is ready at once, in whatever order work is done;
 * a free is work of its stream. */
#include "runtime/emulator/driver/pool.h"

#include <stdint.h>
#include <stdlib.h>

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
enum { LOCATION_DEVICE = 1, TYPE_PINNED = 1, ACCESS_NONE = 0, ACCESS_BOTH = 3 };

struct pool {
    struct allocation_pool use;
    CUmemoryPool handle; /* NULL: not asked for yet, or destroyed */
    CUdevice device;
    uint8_t open_to;                      /* devices that may access its memory, a bit each */
    uint64_t largest;                     /* bytes that it may hold; 0: no limit of its own */
    uint64_t attributes[ATTRIBUTE_COUNT]; /* those that can be set */
};

static struct pool default_pool[MEMORY_DEVICES];
static struct pool *current_pool[MEMORY_DEVICES]; /* NULL: the default pool */

static void begin_pool(struct pool *pool, CUdevice device)
{
    *pool = (struct pool){.device = device,
                          .open_to = (uint8_t)(1u << device),
                          .attributes = {[CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES] = 1,
                                         [CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC] = 1,
                                         [CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES] = 1}};
    pool->handle = handle_create(HANDLE_POOL, pool, NULL);
}

/* NULL when out of memory. */
static struct pool *default_of(CUdevice device)
{
    struct pool *pool = &default_pool[device];
    if (!pool->handle)
        begin_pool(pool, device);
    return pool->handle ? pool : NULL;
}

static struct pool *current_of(CUdevice device)
{
    return current_pool[device] ? current_pool[device] : default_of(device);
}

static bool is_default(const struct pool *pool)
{
    return pool == &default_pool[pool->device];
}

static CUresult get_pool(CUmemoryPool *pool, CUdevice device, struct pool *of_device(CUdevice))
{
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS && !pool)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && !driver_has_device(device))
        result = CUDA_ERROR_INVALID_DEVICE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    const struct pool *found = of_device(device);
    if (found)
        *pool = found->handle;
    return driver_leave(found ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
    return get_pool(pool, device, default_of);
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device)
{
    return get_pool(pool, device, current_of);
}

/* ---- allocations ---- */

CUmemoryPool pool_handle(const struct memory_allocation *allocation)
{
    return ((const struct pool *)allocation->pool)->handle;
}

static CUresult take(const struct context *context, struct pool *pool, uint64_t bytes, CUdeviceptr *address)
{
    if (!pool || (pool->largest && (bytes > pool->largest || pool->use.used > pool->largest - bytes)))
        return CUDA_ERROR_OUT_OF_MEMORY;
    unsigned before = memory_choose_device(driver.memory, (unsigned)pool->device);
    CUresult result = allocation_create_device(context, bytes, ALLOCATION_DEVICE | ALLOCATION_POOLED, address);
    memory_choose_device(driver.memory, before);
    if (result != CUDA_SUCCESS)
        return result;
    struct memory_allocation *allocation = memory_find(driver.memory, *address);
    allocation->pool = pool;
    allocation->open_to = pool->open_to;
    pool->use.used += bytes;
    pool->use.count++;
    if (pool->use.high < pool->use.used)
        pool->use.high = pool->use.used;
    return CUDA_SUCCESS;
}

/* pool: NULL: the current one of the stream's device. */
static CUresult allocate(CUdeviceptr *address, size_t bytes, CUstream stream, struct pool *pool)
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
    else if (result == CUDA_SUCCESS && !address)
        result = CUDA_ERROR_INVALID_VALUE;
    else if (result == CUDA_SUCCESS)
        result = take(context, pool ? pool : current_of(context->device), bytes, address);
    if (result == CUDA_SUCCESS && !recorded && *address) {
        unordered_memory("cuMemAllocAsync", ACCESS_ALLOCATE, memory_find(driver.memory, *address));
        call_log_memory(*address, bytes);
    }
    return driver_leave(result);
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream)
{
    return allocate(address, bytes, stream, NULL);
}
DRIVER_SAME(cuMemAllocAsync_ptsz, cuMemAllocAsync);

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool handle, CUstream stream)
{
    CUresult result = driver_enter_any();
    struct pool *pool = result == CUDA_SUCCESS ? handle_find(handle, HANDLE_POOL) : NULL;
    if (result == CUDA_SUCCESS && !pool)
        result = CUDA_ERROR_INVALID_VALUE;
    driver_leave(result);
    return result == CUDA_SUCCESS ? allocate(address, bytes, stream, pool) : result;
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

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool handle)
{
    struct pool *pool;
    CUresult result = enter_pool(handle, &pool);
    if (result == CUDA_SUCCESS && !driver_has_device(device))
        result = CUDA_ERROR_INVALID_DEVICE;
    if (result == CUDA_SUCCESS && pool->device != device)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        current_pool[device] = pool;
    return driver_leave(result);
}

static CUresult create(CUmemoryPool *handle, const CUmemPoolProps *wanted)
{
    if (!handle || !wanted || wanted->allocType != TYPE_PINNED || wanted->location.type != LOCATION_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    if (!driver_has_device(wanted->location.id))
        return CUDA_ERROR_INVALID_DEVICE;
    if (wanted->handleTypes != 0) /* for other processes */
        return CUDA_ERROR_NOT_SUPPORTED;
    struct pool *pool = malloc(sizeof *pool);
    if (!pool)
        return CUDA_ERROR_OUT_OF_MEMORY;
    begin_pool(pool, wanted->location.id);
    pool->largest = wanted->maxSize;
    *handle = pool->handle;
    if (pool->handle)
        return CUDA_SUCCESS;
    free(pool);
    return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemPoolCreate(CUmemoryPool *handle, const CUmemPoolProps *wanted)
{
    CUresult result = driver_enter_any();
    return driver_leave(result == CUDA_SUCCESS ? create(handle, wanted) : result);
}

static void end_pool(struct allocation_pool *pool)
{
    free(pool); /* its first member */
}

/* Its memory stays until it is freed. */
CUresult cuMemPoolDestroy(CUmemoryPool handle)
{
    struct pool *pool;
    CUresult result = enter_pool(handle, &pool);
    if (result == CUDA_SUCCESS && is_default(pool))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    if (current_pool[pool->device] == pool)
        current_pool[pool->device] = NULL;
    handle_destroy(handle);
    pool->handle = NULL;
    if (pool->use.count)
        pool->use.end = end_pool;
    else
        free(pool);
    return driver_leave(CUDA_SUCCESS);
}

/* ---- other devices ---- */

static CUresult check_access(const struct pool *pool, const CUmemAccessDesc *wanted)
{
    if (wanted->location.type != LOCATION_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    if (!driver_has_device(wanted->location.id))
        return CUDA_ERROR_INVALID_DEVICE;
    bool revokes_own = wanted->flags == ACCESS_NONE && wanted->location.id == pool->device;
    return (wanted->flags != ACCESS_NONE && wanted->flags != ACCESS_BOTH) || revokes_own ? CUDA_ERROR_INVALID_VALUE
                                                                                         : CUDA_SUCCESS;
}

/* Of memory that the pool has handed out, too. */
static void open_to(struct pool *pool, uint8_t devices)
{
    struct memory_allocation *allocation;
    size_t cursor = 0;
    pool->open_to = devices;
    while ((allocation = memory_next_live(driver.memory, &cursor)))
        if (allocation->pool == pool)
            allocation->open_to = devices;
}

CUresult cuMemPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc *wanted, size_t count)
{
    struct pool *pool;
    CUresult result = enter_pool(handle, &pool);
    if (result == CUDA_SUCCESS && !wanted && count > 0)
        result = CUDA_ERROR_INVALID_VALUE;
    uint8_t devices = result == CUDA_SUCCESS ? pool->open_to : 0;
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++) {
        uint8_t device = (uint8_t)(1u << (wanted[i].location.id & 7));
        result = check_access(pool, &wanted[i]);
        devices = (uint8_t)(wanted[i].flags == ACCESS_NONE ? devices & ~device : devices | device);
    }
    if (result == CUDA_SUCCESS)
        open_to(pool, devices);
    return driver_leave(result);
}

CUresult cuMemPoolGetAccess(int *flags, CUmemoryPool handle, const CUmemLocation *location)
{
    struct pool *pool;
    CUresult result = enter_pool(handle, &pool);
    if (result == CUDA_SUCCESS && (!flags || !location || location->type != LOCATION_DEVICE))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && !driver_has_device(location->id))
        result = CUDA_ERROR_INVALID_DEVICE;
    if (result == CUDA_SUCCESS)
        *flags = pool->open_to >> location->id & 1 ? ACCESS_BOTH : ACCESS_NONE;
    return driver_leave(result);
}

/* ---- attributes ---- */

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
        pool->use.high = pool->use.used;
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
        *(uint64_t *)value = pool->use.used;
    else if (number == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
        *(uint64_t *)value = pool->attributes[number];
    else
        *(uint64_t *)value = pool->use.high;
    return driver_leave(CUDA_SUCCESS);
}
