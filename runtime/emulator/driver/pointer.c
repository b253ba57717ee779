/* Entry points: what the driver knows about an address. */
#include <stdint.h>
#include <string.h>

#include "runtime/emulator/driver/allocation.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/pool.h"

/* Live memory that contains the address; NULL when there is none. */
static const struct memory_allocation *find_live(uint64_t address)
{
    return memory_translate(driver.memory, address, 1) ? memory_find(driver.memory, address) : NULL;
}

/* Every yes-or-no attribute is 0 here except the two below. */
static bool is_flag(CUpointer_attribute attribute, unsigned *value, const struct memory_allocation *allocation)
{
    *value = 0;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: *value = (allocation->flags & ALLOCATION_MANAGED) != 0; return true;
    case CU_POINTER_ATTRIBUTE_MAPPED: *value = 1; return true;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE: return true;
    default: return false;
    }
}

static CUresult get_attribute(void *data, CUpointer_attribute attribute, uint64_t address,
                              const struct memory_allocation *allocation)
{
    const struct context *owner = allocation->owner;
    unsigned flag;
    if (is_flag(attribute, &flag, allocation)) {
        *(unsigned char *)data = (unsigned char)flag; /* a bool: one byte */
        return CUDA_SUCCESS;
    }
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: *(CUcontext *)data = owner ? owner->handle : NULL; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: {
        bool host = allocation->kind == MEMORY_HOST && !(allocation->flags & ALLOCATION_MANAGED);
        *(unsigned *)data = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return CUDA_SUCCESS;
    }
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        if (!memory_reaches(allocation, UINT32_MAX, owner ? (unsigned)owner->device : 0))
            return CUDA_ERROR_INVALID_VALUE;
        *(CUdeviceptr *)data = address;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (allocation->kind != MEMORY_HOST)
            return CUDA_ERROR_INVALID_VALUE;
        *(void **)data = (void *)(uintptr_t)address;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID: /* unique while the allocation lives */
        *(uint64_t *)data = allocation->address;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)data = owner ? owner->device : allocation->device; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: *(CUdeviceptr *)data = allocation->address; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE: *(size_t *)data = allocation->bytes; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: *(uint64_t *)data = 0; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        *(unsigned *)data = allocation->read_only ? 1 : 3; /* read, read and write */
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        if (!allocation->pool)
            return CUDA_ERROR_INVALID_VALUE;
        *(CUmemoryPool *)data = pool_handle(allocation);
        return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr address)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    const struct memory_allocation *allocation = find_live(address);
    if (!data || !allocation)
        return driver_leave(CUDA_ERROR_INVALID_VALUE);
    return driver_leave(get_attribute(data, attribute, address, allocation));
}

/* How many bytes an attribute's value has; 0 for an unknown attribute. */
static size_t attribute_bytes(CUpointer_attribute attribute)
{
    static const struct memory_allocation nothing;
    unsigned flag;
    if (is_flag(attribute, &flag, &nothing))
        return 1;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: return 4;
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS: return 0;
    default: break;
    }
    bool known = attribute >= CU_POINTER_ATTRIBUTE_CONTEXT && attribute <= CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE;
    return known ? 8 : 0;
}

/* Unlike the singular form, this one answers zeros for an address that the driver does not know. */
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes, void **data, CUdeviceptr address)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS && (count == 0 || !attributes || !data))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    const struct memory_allocation *allocation = find_live(address);
    for (unsigned i = 0; i < count; i++) {
        size_t bytes = attribute_bytes(attributes[i]);
        if (bytes == 0 || !data[i])
            return driver_leave(CUDA_ERROR_INVALID_VALUE);
        if (allocation && get_attribute(data[i], attributes[i], address, allocation) == CUDA_SUCCESS)
            continue;
        memset(data[i], 0, bytes);
        if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
            *(int *)data[i] = -2; /* what NVIDIA's driver returns for memory of no device */
    }
    return driver_leave(CUDA_SUCCESS);
}

/* The only attribute that can be set asks for synchronous copies, and all copies are. */
CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr address)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS && (!value || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS || !find_live(address)))
        result = CUDA_ERROR_INVALID_VALUE;
    return driver_leave(result);
}
