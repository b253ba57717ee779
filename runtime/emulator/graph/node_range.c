#include "runtime/emulator/graph/node_range.h"

#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/range.h"

/* Memory of a graph is not there when its nodes are made: only the size of what will be there can be compared. */
static bool is_inside_reserved(uint64_t address, uint64_t bytes)
{
    const struct memory_allocation *allocation = address >= MEMORY_HOST_END ? memory_find(driver.memory, address) : NULL;
    if (!allocation || !allocation->reserved || !allocation->freed || address < allocation->address)
        return false;
    uint64_t offset = address - allocation->address;
    return offset <= allocation->bytes && bytes <= allocation->bytes - offset;
}

static CUresult check(const char *what, const char *verb, CUmemorytype type, uint64_t address, uint64_t bytes)
{
    struct range range;
    if (is_inside_reserved(address, bytes))
        return CUDA_SUCCESS;
    switch (type) {
    case CU_MEMORYTYPE_HOST: return range_resolve_host(what, verb, (const void *)(uintptr_t)address, bytes, &range);
    case CU_MEMORYTYPE_DEVICE: return range_resolve_device(what, verb, address, bytes, &range);
    case CU_MEMORYTYPE_UNIFIED: return range_resolve_any(what, verb, address, bytes, &range);
    default: return CUDA_SUCCESS; /* an array has no address */
    }
}

/* One side of a box. */
struct side {
    CUmemorytype type;
    uint64_t address; /* of the memory, before the position */
    size_t x_bytes, y, z, pitch, rows;
};

static CUresult check_side(const char *what, const char *verb, const struct side *side, const CUDA_MEMCPY3D *copy)
{
    uint64_t pitch = side->pitch ? side->pitch : copy->WidthInBytes, rows = side->rows ? side->rows : copy->Height;
    uint64_t skipped, slices, extent = range_extent(copy->WidthInBytes, copy->Height, pitch), address;
    if (extent == 0 || __builtin_mul_overflow(rows, side->z, &skipped) || __builtin_add_overflow(skipped, side->y, &skipped)
        || __builtin_mul_overflow(skipped, pitch, &skipped) || __builtin_add_overflow(skipped, side->x_bytes, &skipped)
        || __builtin_add_overflow(side->address, skipped, &address)
        || __builtin_mul_overflow(rows * pitch, copy->Depth > 0 ? copy->Depth - 1 : 0, &slices)
        || __builtin_add_overflow(extent, slices, &extent))
        return CUDA_ERROR_INVALID_VALUE;
    return check(what, verb, side->type, address, extent);
}

CUresult node_range_check_copy(const char *what, const CUDA_MEMCPY3D *copy)
{
    if (copy->WidthInBytes == 0 || copy->Height == 0 || copy->Depth == 0)
        return CUDA_SUCCESS;
    struct side target = {
        copy->dstMemoryType,
        copy->dstMemoryType == CU_MEMORYTYPE_HOST ? (uint64_t)(uintptr_t)copy->dstHost : copy->dstDevice,
        copy->dstXInBytes,
        copy->dstY,
        copy->dstZ,
        copy->dstPitch,
        copy->dstHeight,
    };
    struct side source = {
        copy->srcMemoryType,
        copy->srcMemoryType == CU_MEMORYTYPE_HOST ? (uint64_t)(uintptr_t)copy->srcHost : copy->srcDevice,
        copy->srcXInBytes,
        copy->srcY,
        copy->srcZ,
        copy->srcPitch,
        copy->srcHeight,
    };
    CUresult result = check_side(what, "write", &target, copy);
    return result == CUDA_SUCCESS ? check_side(what, "read", &source, copy) : result;
}

CUresult node_range_check_fill(const char *what, const CUDA_MEMSET_NODE_PARAMS *fill)
{
    uint64_t row_bytes;
    if (__builtin_mul_overflow(fill->width, fill->elementSize, &row_bytes))
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t extent = range_extent(row_bytes, fill->height, fill->pitch);
    return extent == 0 ? CUDA_ERROR_INVALID_VALUE : check(what, "write", CU_MEMORYTYPE_DEVICE, fill->dst, extent);
}
