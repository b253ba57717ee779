#include "runtime/emulator/graph/graph_memory.h"

#include <stdint.h>
#include <stdlib.h>

#include "runtime/emulator/driver/allocation.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"

struct reservation {
    CUdeviceptr address;
    unsigned users;
    bool was_used; /* it has had memory */
};

static struct reservation *reservations;
static size_t reservation_count, reservation_capacity;
static uint64_t high;

static struct reservation *find(CUdeviceptr address)
{
    for (size_t i = 0; i < reservation_count; i++)
        if (reservations[i].address == address)
            return &reservations[i];
    return NULL;
}

CUresult graph_memory_reserve(size_t bytes, CUdeviceptr *address)
{
    if (reservation_count == reservation_capacity) {
        size_t capacity = reservation_capacity ? reservation_capacity * 2 : 16;
        struct reservation *grown = realloc(reservations, capacity * sizeof *grown);
        if (!grown)
            return CUDA_ERROR_OUT_OF_MEMORY;
        reservations = grown;
        reservation_capacity = capacity;
    }
    const struct memory_allocation *allocation = memory_reserve(driver.memory, bytes);
    if (!allocation)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *address = allocation->address;
    reservations[reservation_count++] = (struct reservation){*address, 1, false};
    return CUDA_SUCCESS;
}

bool graph_memory_exists(CUdeviceptr address)
{
    return find(address) != NULL;
}

bool graph_memory_is_allocated(CUdeviceptr address)
{
    return find(address) && !memory_find(driver.memory, address)->freed;
}

void graph_memory_retain(CUdeviceptr address)
{
    struct reservation *reservation = find(address);
    if (reservation)
        reservation->users++;
}

void graph_memory_release(CUdeviceptr address)
{
    struct reservation *reservation = find(address);
    if (!reservation || --reservation->users > 0)
        return;
    struct memory_allocation *allocation = memory_find(driver.memory, address);
    *reservation = reservations[--reservation_count];
    if (allocation->freed)
        memory_release_reserved(driver.memory, allocation);
    else
        allocation->reserved = false; /* the program's own from now on */
}

/* A graph keeps what it has used, in units of 32 MiB, as an H200 says; here that is only a number. */
static uint64_t used(void)
{
    const uint64_t unit = 32 << 20;
    uint64_t bytes = 0;
    for (size_t i = 0; i < reservation_count; i++)
        if (reservations[i].was_used)
            bytes += memory_find(driver.memory, reservations[i].address)->bytes;
    return (bytes + unit - 1) / unit * unit;
}

CUresult graph_memory_allocate(CUdeviceptr address, const struct context *context)
{
    struct memory_allocation *allocation = memory_find(driver.memory, address);
    if (!allocation || !allocation->freed || !allocation->reserved)
        return CUDA_ERROR_INVALID_VALUE;
    if (!memory_fill_reserved(driver.memory, allocation))
        return CUDA_ERROR_OUT_OF_MEMORY;
    allocation_enter(context, allocation, ALLOCATION_DEVICE);
    find(address)->was_used = true;
    uint64_t now = used();
    high = now > high ? now : high;
    return CUDA_SUCCESS;
}

CUresult graph_memory_free(const char *call, CUdeviceptr address)
{
    return allocation_free(call, address, ALLOCATION_DEVICE, ALLOCATION_FREE_IN_ORDER);
}

/* ---- entry points ---- */

static bool is_attribute(CUgraphMem_attribute attribute)
{
    return (unsigned)attribute <= CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH;
}

/* What graphs keep is what they use: freed memory itself is returned to the device at once. */
CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value)
{
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS && !driver_has_device(device))
        result = CUDA_ERROR_INVALID_DEVICE;
    if (result == CUDA_SUCCESS && (!value || !is_attribute(attribute)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        bool current = attribute == CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT
                       || attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT;
        *(uint64_t *)value = current ? used() : high;
    }
    return driver_leave(result);
}

/* Only the high-water marks can be set, and only to 0. */
CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value)
{
    CUresult result = driver_enter_any();
    bool is_high = attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH || attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH;
    if (result == CUDA_SUCCESS && !driver_has_device(device))
        result = CUDA_ERROR_INVALID_DEVICE;
    if (result == CUDA_SUCCESS && (!value || !is_high || *(uint64_t *)value != 0))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        high = used();
    return driver_leave(result);
}

CUresult cuDeviceGraphMemTrim(CUdevice device)
{
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS && !driver_has_device(device))
        result = CUDA_ERROR_INVALID_DEVICE;
    return driver_leave(result);
}
