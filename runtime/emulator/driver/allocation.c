/* Entry points: device memory. */
#include "runtime/emulator/driver/allocation.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/emulator/driver/call_log.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/order.h"
#include "runtime/emulator/driver/origin.h"
#include "runtime/emulator/driver/range.h"
#include "runtime/emulator/driver/unordered.h"
#include "runtime/emulator/machine/mapping.h"
#include "runtime/emulator/observe/poison/poison.h"

/* Rows of pitched memory begin at multiples of this, as on all NVIDIA devices. */
#define PITCH_BYTES 512u

static unsigned created;
static _Thread_local CUdeviceptr
    beyond_bridge; /* memory of this call, of which it is not known yet who asked for it; 0: none */

void allocation_enter(const struct context *context, struct memory_allocation *allocation, unsigned flags)
{
    allocation->owner = context;
    allocation->flags = flags;
    allocation->ordinal = ++created;
    allocation->launches = finding_launch_count();
    if (driver.settings->checks >= CHECKS_POISON)
        origin_find(allocation->origin);
    beyond_bridge = origin_is_bridge(allocation->origin) ? allocation->address : 0;
}

CUresult allocation_leave(CUresult result)
{
    const void *origin[2];
    CUdeviceptr address = beyond_bridge;
    beyond_bridge = 0;
    driver_leave(result);
    if (!address || !origin_cross_bridge(origin))
        return result;
    driver_lock();
    struct memory_allocation *allocation = memory_find(driver.memory, address);
    if (allocation && allocation->address == address)
        memcpy(allocation->origin, origin, sizeof origin);
    driver_unlock();
    return result;
}

CUresult allocation_create_device(const struct context *context, uint64_t bytes, unsigned flags, CUdeviceptr *address)
{
    if (!address || bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    struct memory_allocation *allocation = memory_allocate(driver.memory, bytes, MEMORY_DEVICE);
    if (!allocation)
        return CUDA_ERROR_OUT_OF_MEMORY;
    allocation_enter(context, allocation, flags);
    *address = allocation->address;
    return CUDA_SUCCESS;
}

CUresult allocation_create_host(const struct context *context, uint64_t bytes, unsigned flags, CUdeviceptr *address)
{
    if (bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    struct memory_allocation *allocation = memory_allocate(driver.memory, bytes, MEMORY_HOST);
    if (!allocation)
        return CUDA_ERROR_OUT_OF_MEMORY;
    allocation->owner = context;
    allocation->flags = flags;
    unordered_share_memory();
    *address = allocation->address;
    return CUDA_SUCCESS;
}

/* Frees a live allocation. */
static void release(struct memory_allocation *allocation)
{
    struct allocation_pool *pool = allocation->pool;
    if (pool) {
        pool->settle(pool);
        pool->used -= allocation->bytes;
        if (--pool->count == 0 && pool->end)
            pool->end(pool);
    }
    unordered_forget(allocation);
    if (driver.settings->checks >= CHECKS_POISON)
        origin_find(allocation->freed_in);
    poison_forget(allocation); /* another allocation may get this address */
    memory_free(driver.memory, allocation->address);
}

void allocation_free_all(const struct context *context)
{
    size_t cursor = 0;
    struct memory_allocation *allocation;
    while ((allocation = memory_next_live(driver.memory, &cursor))) {
        if (allocation->owner != context)
            continue;
        if (allocation->kind == MEMORY_HOST) /* freeing it shifts the later ones down by one */
            cursor--;
        release(allocation);
    }
}

/* The address is inside a live allocation but not its start, or another call must free that allocation. */
static void report_wrong_free(const char *call, uint64_t address, const struct memory_allocation *allocation)
{
    struct finding finding;
    range_describe(&finding, FINDING_out_of_bounds, allocation, address - allocation->address);
    if (address != allocation->address)
        snprintf(finding.message, sizeof finding.message,
                 "%s was given an address %" PRId64 " bytes from the start of an allocation; only the start can be freed.",
                 call, (int64_t)(address - allocation->address));
    else
        snprintf(finding.message, sizeof finding.message,
                 "%s was given memory that another call allocated: free it with the matching call.", call);
    finding_report(&finding);
}

/* What freeing waits for: in the order of a stream, its earlier work; of the stream-ordered allocator's memory, nothing,
 * since the program must have waited; else all work of the device. */
static void order_free(const char *call, const struct memory_allocation *allocation, enum allocation_free_order order)
{
    if (order == ALLOCATION_FREE_IN_ORDER) {
        unordered_memory(call, ACCESS_FREE, allocation);
    } else if (allocation->flags & ALLOCATION_POOLED) {
        unordered_free_now(call, allocation);
    } else {
        order_host_context(NULL);
        unordered_settle();
    }
}

CUresult allocation_free(const char *call, uint64_t address, unsigned kinds, enum allocation_free_order order)
{
    if (address == 0)
        return CUDA_SUCCESS;
    struct memory_allocation *allocation = memory_find(driver.memory, address);
    if (!allocation || allocation->freed) {
        range_report_stray(call, address, allocation);
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (address != allocation->address || !(allocation->flags & kinds)) {
        report_wrong_free(call, address, allocation);
        return CUDA_ERROR_INVALID_VALUE;
    }
    order_free(call, allocation, order);
    release(allocation);
    return CUDA_SUCCESS;
}

CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    if (free_bytes)
        *free_bytes = memory_capacity(driver.memory) - memory_used(driver.memory);
    if (total_bytes)
        *total_bytes = memory_capacity(driver.memory);
    return driver_leave(CUDA_SUCCESS);
}

void allocation_refuse_free(uint64_t address)
{
    struct memory_allocation *allocation = driver.memory ? memory_find(driver.memory, address) : NULL;
    if (allocation && allocation->address == address)
        allocation->flags |= ALLOCATION_FREE_REFUSED;
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
    struct context *context;
    CUresult result = driver_enter_unsafe(&context);
    if (result == CUDA_SUCCESS)
        result = call_log_begin(CALL_allocate);
    if (result == CUDA_SUCCESS)
        result = allocation_create_device(context, bytes, ALLOCATION_DEVICE, address);
    if (result == CUDA_SUCCESS)
        call_log_memory(*address, bytes);
    return allocation_leave(result);
}

static CUresult allocate_pitch(const struct context *context, CUdeviceptr *address, size_t *pitch, size_t width_bytes,
                               size_t height, unsigned element_bytes)
{
    if (!address || !pitch || width_bytes == 0 || height == 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16)
        return CUDA_ERROR_INVALID_VALUE;
    size_t rounded, bytes;
    if (__builtin_add_overflow(width_bytes, PITCH_BYTES - 1, &rounded))
        return CUDA_ERROR_INVALID_VALUE;
    rounded = rounded / PITCH_BYTES * PITCH_BYTES;
    if (__builtin_mul_overflow(rounded, height, &bytes))
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = allocation_create_device(context, bytes, ALLOCATION_DEVICE, address);
    if (result == CUDA_SUCCESS)
        *pitch = rounded;
    return result;
}

CUresult cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width_bytes, size_t height, unsigned element_bytes)
{
    struct context *context;
    CUresult result = driver_enter_unsafe(&context);
    if (result == CUDA_SUCCESS)
        result = call_log_begin(CALL_allocate);
    if (result == CUDA_SUCCESS)
        result = allocate_pitch(context, address, pitch, width_bytes, height, element_bytes);
    if (result == CUDA_SUCCESS)
        call_log_memory(*address, *pitch * height);
    return allocation_leave(result);
}

CUresult cuMemFree_v2(CUdeviceptr address)
{
    struct context *context;
    CUresult result = driver_enter_unsafe(&context);
    if (result == CUDA_SUCCESS)
        result = call_log_begin(CALL_free);
    call_log_memory(address, 0);
    if (result == CUDA_SUCCESS)
        result = allocation_free("cuMemFree", address, ALLOCATION_DEVICE | ALLOCATION_MANAGED | ALLOCATION_POOLED,
                                 ALLOCATION_FREE_NOW);
    else
        allocation_refuse_free(address);
    return driver_leave(result);
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr address)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    if (!memory_translate(driver.memory, address, 1))
        return driver_leave(CUDA_ERROR_NOT_FOUND);
    const struct memory_allocation *allocation = memory_find(driver.memory, address);
    uint64_t start = 0, length = allocation->bytes;
    if (allocation->pages && !(allocation->flags & (ALLOCATION_DEVICE | ALLOCATION_OPENED))) { /* of the mapping */
        const struct mapping_page *page = &allocation->pages->page[(address - allocation->address) / MAPPING_GRANULE];
        start = page->start;
        length = page->bytes;
    }
    if (base)
        *base = allocation->address + start;
    if (bytes)
        *bytes = length;
    return driver_leave(CUDA_SUCCESS);
}
