/* Entry points: stream-ordered allocation and memory pools, of device, host and managed memory. Results, and what a pool
 * holds, are those of an H200 (driver 580, CUDA 13.0). An allocation is ready at once, in whatever order work is done;
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
#include "runtime/emulator/driver/order.h"
#include "runtime/emulator/driver/stream.h"
#include "runtime/emulator/driver/stream_work.h"
#include "runtime/emulator/driver/unordered.h"

enum { ATTRIBUTE_COUNT = CU_MEMPOOL_ATTR_USED_MEM_HIGH + 1 };
enum { LOCATION_NONE = 0, LOCATION_DEVICE = 1, LOCATION_HOST = 2, LOCATION_NUMA = 3, LOCATION_NUMA_CURRENT = 4 };
enum { TYPE_PINNED = 1, TYPE_MANAGED = 2, FLAGS_NONE = 0, FLAGS_READ = 1, FLAGS_BOTH = 3 };
enum { HANDLES_FILE = 1, HANDLES_FABRIC = 8 };

/* A pool takes memory from the system in pieces of this size, and its largest size is a multiple of it. */
#define GRANULE (UINT64_C(32) << 20)

struct pool {
    struct allocation_pool use;
    CUmemoryPool handle; /* NULL: not asked for yet, or destroyed */
    int type;            /* of its memory: TYPE_PINNED, TYPE_MANAGED */
    CUmemLocation location;
    CUdevice device;                      /* whose memory it is; of other locations 0 */
    uint16_t open_to;                     /* devices that may access its memory, as in memory_allocation */
    uint64_t largest;                     /* bytes that it may hold; 0: no limit of its own */
    uint64_t reserved, reserved_high;     /* bytes that it holds, in use or not; their maximum since the mark was reset */
    uint64_t seen_waits;                  /* waits of the host after which it last gave memory back */
    uint64_t attributes[ATTRIBUTE_COUNT]; /* those that can be set */
};

/* Where and of which type: every such place has a default pool and a current one. */
enum { PLACE_NONE, PLACE_HOST, PLACE_NUMA, PLACE_DEVICE, PLACE_COUNT = PLACE_DEVICE + MEMORY_DEVICES };

static struct pool default_pool[2][PLACE_COUNT];  /* pinned, managed */
static struct pool *current_pool[2][PLACE_COUNT]; /* NULL: the default pool */

/* Which place that is. Only managed memory may be at none. As NVIDIA's driver has it, a device that there is not is a wrong
 * value here; the host of the emulated device has one NUMA node. */
static CUresult find_place(const CUmemLocation *location, int type, unsigned *place)
{
    if (!location || (type != TYPE_PINNED && type != TYPE_MANAGED))
        return CUDA_ERROR_INVALID_VALUE;
    switch (location->type) {
    case LOCATION_NONE: *place = PLACE_NONE; return type == TYPE_MANAGED ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case LOCATION_HOST: *place = PLACE_HOST; return CUDA_SUCCESS;
    case LOCATION_NUMA: *place = PLACE_NUMA; return location->id == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case LOCATION_DEVICE:
        if (!driver_has_device(location->id))
            return CUDA_ERROR_INVALID_VALUE;
        *place = PLACE_DEVICE + (unsigned)location->id;
        return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

static struct pool **current_at(const struct pool *pool)
{
    unsigned place = PLACE_NONE;
    find_place(&pool->location, pool->type, &place);
    return &current_pool[pool->type - 1][place];
}

static void settle(struct allocation_pool *use);

/* Managed memory can be used everywhere; memory of the host by the host, until the pool is opened to devices. */
static void begin_pool(struct pool *pool, int type, CUmemLocation location)
{
    bool has_device = location.type == LOCATION_DEVICE;
    *pool = (struct pool){.use = {.settle = settle},
                          .type = type,
                          .location = location,
                          .device = has_device ? location.id : 0,
                          .attributes = {[CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES] = 1,
                                         [CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC] = 1,
                                         [CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES] = 1}};
    if (type == TYPE_PINNED)
        pool->open_to = has_device ? (uint16_t)(1u << location.id) : MEMORY_OPEN_TO_NONE;
    pool->handle = handle_create(HANDLE_POOL, pool, NULL);
}

/* NULL when out of memory. */
static struct pool *default_at(int type, unsigned place, CUmemLocation location)
{
    struct pool *pool = &default_pool[type - 1][place];
    if (!pool->handle)
        begin_pool(pool, type, location);
    return pool->handle ? pool : NULL;
}

static struct pool *current_of(CUdevice device)
{
    unsigned place = PLACE_DEVICE + (unsigned)device;
    struct pool *chosen = current_pool[TYPE_PINNED - 1][place];
    return chosen ? chosen : default_at(TYPE_PINNED, place, (CUmemLocation){LOCATION_DEVICE, device});
}

static bool is_default(const struct pool *pool)
{
    return pool >= default_pool[0] && pool < default_pool[0] + sizeof default_pool / sizeof(struct pool);
}

static CUresult get_pool(CUmemoryPool *pool, const CUmemLocation *location, int type, bool current)
{
    unsigned place;
    if (!pool)
        return CUDA_ERROR_INVALID_VALUE;
    if (location && location->type == LOCATION_NUMA_CURRENT)
        return CUDA_ERROR_NOT_SUPPORTED;
    CUresult result = find_place(location, type, &place);
    if (result != CUDA_SUCCESS)
        return result;
    const struct pool *found = current ? current_pool[type - 1][place] : NULL;
    if (!found)
        found = default_at(type, place, *location);
    if (!found)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *pool = found->handle;
    return CUDA_SUCCESS;
}

static CUresult get_pool_of_device(CUmemoryPool *pool, CUdevice device, bool current)
{
    CUresult result = driver_enter_any();
    const CUmemLocation location = {LOCATION_DEVICE, device};
    if (result == CUDA_SUCCESS && pool && !driver_has_device(device))
        result = CUDA_ERROR_INVALID_DEVICE;
    return driver_leave(result == CUDA_SUCCESS ? get_pool(pool, &location, TYPE_PINNED, current) : result);
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
    return get_pool_of_device(pool, device, false);
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device)
{
    return get_pool_of_device(pool, device, true);
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool, CUmemLocation *location, int type)
{
    CUresult result = driver_enter_any();
    return driver_leave(result == CUDA_SUCCESS ? get_pool(pool, location, type, false) : result);
}

CUresult cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location, int type)
{
    CUresult result = driver_enter_any();
    return driver_leave(result == CUDA_SUCCESS ? get_pool(pool, location, type, true) : result);
}

/* ---- what it holds ---- */

static uint64_t whole_granules(uint64_t bytes)
{
    return bytes / GRANULE * GRANULE + (bytes % GRANULE ? GRANULE : 0);
}

/* Gives back what is not in use, down to `keep` bytes. */
static void give_back(struct pool *pool, uint64_t keep)
{
    uint64_t wanted = keep < pool->reserved ? whole_granules(keep) : pool->reserved, used = whole_granules(pool->use.used);
    uint64_t rest = used > wanted ? used : wanted;
    if (rest < pool->reserved)
        pool->reserved = rest;
}

/* Beyond the threshold a pool gives memory back when the host waits. Nobody sees when exactly: called before the pool is
 * looked at or changed. */
static void settle(struct allocation_pool *use)
{
    struct pool *pool = (struct pool *)use; /* its first member */
    if (pool->seen_waits != order_host_waits() && pool->reserved > pool->attributes[CU_MEMPOOL_ATTR_RELEASE_THRESHOLD])
        give_back(pool, pool->attributes[CU_MEMPOOL_ATTR_RELEASE_THRESHOLD]);
    pool->seen_waits = order_host_waits();
}

static void hold_more(struct pool *pool)
{
    uint64_t needed = whole_granules(pool->use.used);
    if (pool->reserved < needed)
        pool->reserved = needed;
    if (pool->reserved_high < pool->reserved)
        pool->reserved_high = pool->reserved;
    if (pool->use.high < pool->use.used)
        pool->use.high = pool->use.used;
}

/* ---- allocations ---- */

CUmemoryPool pool_handle(const struct memory_allocation *allocation)
{
    return ((const struct pool *)allocation->pool)->handle;
}

static CUresult take(const struct context *context, struct pool *pool, uint64_t bytes, CUdeviceptr *address)
{
    if (pool)
        settle(&pool->use);
    uint64_t largest = pool ? whole_granules(pool->largest) : 0;
    if (!pool || (largest && (bytes > largest || pool->use.used > largest - bytes)))
        return CUDA_ERROR_OUT_OF_MEMORY;
    bool on_device = pool->type == TYPE_PINNED && pool->location.type == LOCATION_DEVICE;
    unsigned before = memory_choose_device(driver.memory, (unsigned)pool->device);
    CUresult result = on_device
                          ? allocation_create_device(context, bytes, ALLOCATION_DEVICE | ALLOCATION_POOLED, address)
                          : allocation_create_host(context, bytes,
                                                   ALLOCATION_POOLED | (pool->type == TYPE_MANAGED ? ALLOCATION_MANAGED : 0),
                                                   address);
    memory_choose_device(driver.memory, before);
    if (result != CUDA_SUCCESS)
        return result;
    struct memory_allocation *allocation = memory_find(driver.memory, *address);
    allocation->pool = pool;
    allocation->open_to = pool->open_to;
    pool->use.used += bytes;
    pool->use.count++;
    hold_more(pool);
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
    return allocation_leave(result);
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
    allocation_free("cuMemFreeAsync", work->memory.address, ALLOCATION_DEVICE | ALLOCATION_POOLED, ALLOCATION_FREE_IN_ORDER);
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
        result = allocation_free("cuMemFreeAsync", address, ALLOCATION_DEVICE | ALLOCATION_POOLED, ALLOCATION_FREE_IN_ORDER);
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
    if (result == CUDA_SUCCESS && (pool->location.type != LOCATION_DEVICE || pool->device != device))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *current_at(pool) = pool;
    return driver_leave(result);
}

CUresult cuMemSetMemPool(CUmemLocation *location, int type, CUmemoryPool handle)
{
    struct pool *pool;
    unsigned place = PLACE_NONE;
    CUresult result = enter_pool(handle, &pool);
    if (result == CUDA_SUCCESS)
        result = find_place(location, type, &place);
    if (result == CUDA_SUCCESS && (pool->type != type || current_at(pool) != &current_pool[type - 1][place]))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *current_at(pool) = pool;
    return driver_leave(result);
}

/* What a pool may be asked to be. Of pinned memory on a device or a NUMA node other processes may have handles; pools of
 * managed memory have no limit and no usage of their own. */
static CUresult check_properties(const CUmemPoolProps *wanted)
{
    unsigned place;
    bool managed = wanted->allocType == TYPE_MANAGED;
    CUmemLocation location = wanted->location;
    if (managed && location.type > LOCATION_NUMA_CURRENT)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (managed && location.type == LOCATION_NUMA_CURRENT)
        location = (CUmemLocation){LOCATION_NUMA, 0};
    CUresult result = find_place(&location, wanted->allocType, &place);
    if (result != CUDA_SUCCESS)
        return result;
    if (managed)
        return wanted->handleTypes || wanted->maxSize || wanted->usage ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    if (wanted->maxSize >= MEMORY_HOST_END)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (wanted->handleTypes == 0)
        return CUDA_SUCCESS;
    bool exists = wanted->handleTypes == HANDLES_FILE || wanted->handleTypes == HANDLES_FABRIC;
    return exists && location.type != LOCATION_HOST ? CUDA_ERROR_NOT_SUPPORTED /* for other processes */
                                                    : CUDA_ERROR_INVALID_VALUE;
}

static CUresult create(CUmemoryPool *handle, const CUmemPoolProps *wanted)
{
    CUresult result = handle && wanted ? check_properties(wanted) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    struct pool *pool = malloc(sizeof *pool);
    if (!pool)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUmemLocation location = wanted->location;
    if (location.type == LOCATION_NUMA_CURRENT)
        location = (CUmemLocation){LOCATION_NUMA, 0};
    begin_pool(pool, wanted->allocType, location);
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
    if (*current_at(pool) == pool)
        *current_at(pool) = NULL;
    handle_destroy(handle);
    pool->handle = NULL;
    if (pool->use.count)
        pool->use.end = end_pool;
    else
        free(pool);
    return driver_leave(CUDA_SUCCESS);
}

/* ---- who may use its memory ---- */

static bool is_host(CUmemLocation location)
{
    return location.type == LOCATION_HOST || location.type == LOCATION_NUMA;
}

/* Nobody can lose the use of memory that is his own, nor may anyone only read; the host has no use of a device's memory. */
static CUresult check_access(const struct pool *pool, const CUmemAccessDesc *wanted)
{
    CUmemLocation who = wanted->location;
    if (!is_host(who) && who.type != LOCATION_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    if (who.type == LOCATION_DEVICE && !driver_has_device(who.id))
        return CUDA_ERROR_INVALID_DEVICE;
    if (wanted->flags != FLAGS_NONE && wanted->flags != FLAGS_BOTH)
        return wanted->flags == FLAGS_READ ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
    if (pool->type == TYPE_MANAGED)
        return CUDA_SUCCESS;
    bool on_device = pool->location.type == LOCATION_DEVICE;
    if (is_host(who))
        return on_device || wanted->flags == FLAGS_NONE ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
    return on_device && who.id == pool->device && wanted->flags == FLAGS_NONE ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

/* Of memory that the pool has handed out, too. */
static void open_to(struct pool *pool, uint16_t devices)
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
    uint16_t devices = result == CUDA_SUCCESS ? pool->open_to : 0;
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++) {
        result = check_access(pool, &wanted[i]);
        if (result != CUDA_SUCCESS || pool->type == TYPE_MANAGED || is_host(wanted[i].location))
            continue;
        uint16_t device = (uint16_t)(1u << wanted[i].location.id);
        devices = (uint16_t)(wanted[i].flags == FLAGS_NONE ? devices & ~device : devices | device);
    }
    if (result == CUDA_SUCCESS)
        open_to(pool, devices);
    return driver_leave(result);
}

/* Access to managed memory is not the pool's to give: the answer is none. */
CUresult cuMemPoolGetAccess(int *flags, CUmemoryPool handle, const CUmemLocation *location)
{
    struct pool *pool;
    CUresult result = enter_pool(handle, &pool);
    if (result == CUDA_SUCCESS && (!flags || !location || (location->type != LOCATION_DEVICE && !is_host(*location))))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && location->type == LOCATION_DEVICE && !driver_has_device(location->id))
        result = CUDA_ERROR_INVALID_DEVICE;
    if (result == CUDA_SUCCESS)
        *flags = (is_host(*location) ? pool->type == TYPE_PINNED && is_host(pool->location)
                                     : pool->open_to >> location->id & 1)
                     ? FLAGS_BOTH
                     : FLAGS_NONE;
    return driver_leave(result);
}

/* ---- attributes ---- */

CUresult cuMemPoolTrimTo(CUmemoryPool handle, size_t keep_bytes)
{
    struct pool *pool;
    CUresult result = enter_pool(handle, &pool);
    if (result == CUDA_SUCCESS) {
        settle(&pool->use);
        give_back(pool, keep_bytes);
    }
    return driver_leave(result);
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
    uint64_t new_value = is_int(number) ? *(int *)value != 0 : *(uint64_t *)value;
    /* current amounts cannot be set, high-water marks only reset */
    if ((number > CU_MEMPOOL_ATTR_RELEASE_THRESHOLD && !high) || (high && new_value != 0))
        return driver_leave(CUDA_ERROR_INVALID_VALUE);
    settle(&pool->use);
    if (number == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH)
        pool->reserved_high = pool->reserved;
    else if (high)
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
    settle(&pool->use);
    switch (number) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: *(uint64_t *)value = pool->attributes[number]; break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT: *(uint64_t *)value = pool->reserved; break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH: *(uint64_t *)value = pool->reserved_high; break;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT: *(uint64_t *)value = pool->use.used; break;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH: *(uint64_t *)value = pool->use.high; break;
    default: *(int *)value = (int)pool->attributes[number]; break;
    }
    return driver_leave(CUDA_SUCCESS);
}
