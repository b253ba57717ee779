/* Entry points: copies between any two of host and device memory, one- and two-dimensional. */
#include "runtime/emulator/driver/copy.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/driver/allocation.h"
#include "runtime/emulator/driver/array.h"
#include "runtime/emulator/driver/call_log.h"
#include "runtime/emulator/driver/capture_port.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/late.h"
#include "runtime/emulator/driver/order.h"
#include "runtime/emulator/driver/range.h"
#include "runtime/emulator/driver/stored.h"
#include "runtime/emulator/driver/stream.h"
#include "runtime/emulator/driver/stream_work.h"
#include "runtime/emulator/driver/unordered.h"
#include "runtime/emulator/observe/counters/counters.h"

/* What a copy would be. */
struct copy_look {
    bool enters;          /* given: what it reads and writes is recorded (unordered.h) */
    bool is_waited_for;   /* it has been done when the call returns */
    bool reads_unshared;  /* its source is memory of the host that the driver does not know: read when the call returns */
    bool touches_nothing; /* there is no byte to copy */
};

enum side_kind { SIDE_HOST, SIDE_DEVICE, SIDE_ANY };

/* One side of a copy: rows of the copy's width, `pitch` bytes apart. */
struct side {
    enum side_kind kind;
    uint64_t address;
    uint64_t pitch;
};

static CUresult resolve(const char *call, const char *verb, const struct side *side, uint64_t bytes, struct range *range)
{
    switch (side->kind) {
    case SIDE_HOST: return range_resolve_host(call, verb, (const void *)(uintptr_t)side->address, bytes, range);
    case SIDE_DEVICE: return range_resolve_device(call, verb, side->address, bytes, range);
    default: return range_resolve_any(call, verb, side->address, bytes, range);
    }
}

/* Copies height rows of width bytes; both ranges have been checked. */
static void transfer(const char *call, const struct range *target, uint64_t target_pitch, const struct range *source,
                     uint64_t source_pitch, uint64_t width, uint64_t height)
{
    if (!target->allocation)
        range_report_poison_copied(call, source, width, source_pitch, height);
    for (uint64_t row = 0; row < height; row++) {
        uint64_t to = row * target_pitch, from = row * source_pitch;
        memmove(target->host + to, source->host + from, width);
        if (!target->allocation)
            continue;
        if (source->allocation)
            memory_copy_written(target->allocation, target->offset + to, source->allocation, source->offset + from, width);
        else
            memory_mark_written(target->allocation, target->offset + to, width);
    }
}

/* For the order of work, pinned and managed memory is known on the host's side as well. Registered memory may be part of
 * what is copied: only then is the range longer than the allocation, and plain memory again. */
static struct range find_known(const struct range *range, uint64_t bytes)
{
    uint64_t address = (uint64_t)(uintptr_t)range->host;
    struct memory_allocation *allocation = range->allocation ? NULL : memory_find(driver.memory, address);
    if (!allocation || allocation->freed || allocation->kind != MEMORY_HOST || address < allocation->address
        || address - allocation->address > allocation->bytes || bytes > allocation->bytes - (address - allocation->address))
        return *range;
    return (struct range){range->host, allocation, address - allocation->address};
}

/* Memory that the host addresses, and that is not managed. */
static bool is_host(const struct range *range)
{
    return !range->allocation
           || (range->allocation->kind == MEMORY_HOST && !(range->allocation->flags & ALLOCATION_MANAGED));
}

/* Has it been done when the call returns? "API synchronization behavior" of the CUDA manual: a copy that is not
 * asynchronous, unless it stays on the device; one into pageable memory, which the driver does not know; and one from
 * host to host. From pageable memory, the source has been read. */
static bool host_waits(const char *call, const struct range *target, const struct range *source)
{
    bool is_asynchronous = strstr(call, "Async") || strstr(call, "Graph"),
         between_hosts = is_host(target) && is_host(source);
    if (is_asynchronous)
        return !target->allocation || between_hosts;
    return !target->allocation || !source->allocation || target->allocation->kind == MEMORY_HOST
           || source->allocation->kind == MEMORY_HOST;
}

/* Enters the copy into the order of work. Does the host wait for it? */
static bool order(const char *call, const struct range *target, uint64_t target_pitch, const struct range *source,
                  uint64_t source_pitch, uint64_t width, uint64_t height)
{
    struct range to = find_known(target, range_extent(width, height, target_pitch));
    struct range from = find_known(source, range_extent(width, height, source_pitch));
    unordered_access(call, ACCESS_READ, &from, width, source_pitch, height);
    unordered_access(call, ACCESS_WRITE, &to, width, target_pitch, height);
    return host_waits(call, &to, &from);
}

/* Copies, or only looks: `look` is NULL to copy. */
static CUresult copy(const char *call, const struct side *target, const struct side *source, uint64_t width, uint64_t height,
                     struct copy_look *look)
{
    if (width == 0 || height == 0)
        return CUDA_SUCCESS;
    uint64_t target_bytes = range_extent(width, height, target->pitch);
    uint64_t source_bytes = range_extent(width, height, source->pitch);
    if (target_bytes == 0 || source_bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    struct range to, from;
    CUresult result = resolve(call, "write", target, target_bytes, &to);
    if (result == CUDA_SUCCESS)
        result = resolve(call, "read", source, source_bytes, &from);
    if (result == CUDA_SUCCESS)
        result = range_check_plain(call, "write", &to, width, target->pitch, height);
    if (result == CUDA_SUCCESS)
        result = range_check_plain(call, "read", &from, width, source->pitch, height);
    if (result != CUDA_SUCCESS)
        return result;
    if (height > 1 && target->pitch == width && source->pitch == width) { /* the rows are adjacent: one long row */
        width *= height;
        height = 1;
    }
    if (look) {
        struct range known_to = find_known(&to, target_bytes), known_from = find_known(&from, source_bytes);
        look->is_waited_for = host_waits(call, &known_to, &known_from);
        look->reads_unshared = !known_from.allocation;
        look->touches_nothing = false;
        if (look->enters)
            order(call, &to, target->pitch, &from, source->pitch, width, height);
        return CUDA_SUCCESS;
    }
    struct range known_to = find_known(&to, target_bytes), known_from = find_known(&from, source_bytes);
    bool is_pageable = !known_to.allocation || !known_from.allocation;
    if (order(call, &to, target->pitch, &from, source->pitch, width, height)) {
        call_log_waited(is_pageable);
        order_host_now();
        unordered_settle();
    } else if (is_pageable) {
        call_log_waited(true);
    }
    transfer(call, &to, target->pitch, &from, source->pitch, width, height);
    bool to_device = to.allocation && to.allocation->kind != MEMORY_HOST;
    if (to_device != (from.allocation && from.allocation->kind != MEMORY_HOST)) {
        counters_count_host_copy(width * height);
        for (uint64_t row = 0; to_device && row < height; row++)
            stored_by_host(target->address + row * target->pitch, to.host + row * target->pitch, width);
        call_log_moved(to_device ? width * height : 0, to_device ? 0 : width * height);
        if (height == 1)
            call_log_ends(target->address, source->address);
    }
    return CUDA_SUCCESS;
}

static const struct work_manner manner;

static CUmemorytype memory_type(enum side_kind kind)
{
    return kind == SIDE_HOST ? CU_MEMORYTYPE_HOST : kind == SIDE_DEVICE ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_UNIFIED;
}

/* A copy of one row as a node of a graph has it. */
static struct stream_work row_as_work(const char *call, enum side_kind target_kind, uint64_t target,
                                      enum side_kind source_kind, uint64_t source, size_t bytes)
{
    return (struct stream_work){
        .manner = &manner,
        .call = call,
        .type = CU_GRAPH_NODE_TYPE_MEMCPY,
        .copy =
            {
                .srcMemoryType = memory_type(source_kind),
                .srcHost = source_kind == SIDE_HOST ? (const void *)(uintptr_t)source : NULL,
                .srcDevice = source_kind == SIDE_HOST ? 0 : source,
                .dstMemoryType = memory_type(target_kind),
                .dstHost = target_kind == SIDE_HOST ? (void *)(uintptr_t)target : NULL,
                .dstDevice = target_kind == SIDE_HOST ? 0 : target,
                .WidthInBytes = bytes,
                .Height = 1,
                .Depth = 1,
            },
    };
}

/* A copy of one row: what every one-dimensional entry point does. */
static CUresult copy_row(const char *call, CUstream stream, enum side_kind target_kind, uint64_t target,
                         enum side_kind source_kind, uint64_t source, size_t bytes)
{
    struct context *context;
    bool recorded;
    struct stream_work work = row_as_work(call, target_kind, target, source_kind, source, bytes);
    CUresult result = stream_submit(stream, &work, &context, &recorded);
    if (result == CUDA_SUCCESS && !recorded) {
        struct side to = {target_kind, target, bytes}, from = {source_kind, source, bytes};
        result = copy(call, &to, &from, bytes, 1, NULL);
    }
    return driver_leave(result);
}

static uint64_t host_address(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr target, const void *source, size_t bytes)
{
    return copy_row("cuMemcpyHtoD", NULL, SIDE_DEVICE, target, SIDE_HOST, host_address(source), bytes);
}
DRIVER_SAME(cuMemcpyHtoD_v2_ptds, cuMemcpyHtoD_v2);

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr target, const void *source, size_t bytes, CUstream stream)
{
    return copy_row("cuMemcpyHtoDAsync", stream, SIDE_DEVICE, target, SIDE_HOST, host_address(source), bytes);
}
DRIVER_SAME(cuMemcpyHtoDAsync_v2_ptsz, cuMemcpyHtoDAsync_v2);

CUresult cuMemcpyDtoH_v2(void *target, CUdeviceptr source, size_t bytes)
{
    return copy_row("cuMemcpyDtoH", NULL, SIDE_HOST, host_address(target), SIDE_DEVICE, source, bytes);
}
DRIVER_SAME(cuMemcpyDtoH_v2_ptds, cuMemcpyDtoH_v2);

CUresult cuMemcpyDtoHAsync_v2(void *target, CUdeviceptr source, size_t bytes, CUstream stream)
{
    return copy_row("cuMemcpyDtoHAsync", stream, SIDE_HOST, host_address(target), SIDE_DEVICE, source, bytes);
}
DRIVER_SAME(cuMemcpyDtoHAsync_v2_ptsz, cuMemcpyDtoHAsync_v2);

CUresult cuMemcpyDtoD_v2(CUdeviceptr target, CUdeviceptr source, size_t bytes)
{
    return copy_row("cuMemcpyDtoD", NULL, SIDE_DEVICE, target, SIDE_DEVICE, source, bytes);
}
DRIVER_SAME(cuMemcpyDtoD_v2_ptds, cuMemcpyDtoD_v2);

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream)
{
    return copy_row("cuMemcpyDtoDAsync", stream, SIDE_DEVICE, target, SIDE_DEVICE, source, bytes);
}
DRIVER_SAME(cuMemcpyDtoDAsync_v2_ptsz, cuMemcpyDtoDAsync_v2);

CUresult cuMemcpy(CUdeviceptr target, CUdeviceptr source, size_t bytes)
{
    return copy_row("cuMemcpy", NULL, SIDE_ANY, target, SIDE_ANY, source, bytes);
}
DRIVER_SAME(cuMemcpy_ptds, cuMemcpy);

CUresult cuMemcpyAsync(CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream)
{
    return copy_row("cuMemcpyAsync", stream, SIDE_ANY, target, SIDE_ANY, source, bytes);
}
DRIVER_SAME(cuMemcpyAsync_ptsz, cuMemcpyAsync);

/* Bytes of a one-dimensional array, counted from its start. */
static CUresult make_row_side(const char *call, const char *verb, CUarray array, size_t offset, size_t bytes,
                              struct side *side)
{
    uint64_t slice;
    struct array_box box = {offset, 0, 0, bytes, 1, 1};
    side->kind = SIDE_DEVICE;
    return array_find_box(call, verb, array, &box, &side->address, &side->pitch, &slice);
}

/* A copy of one row whose sides may be arrays (NULL: the address counts). */
static CUresult copy_array_row(const char *call, CUstream stream, CUarray target_array, struct side target,
                               CUarray source_array, struct side source, size_t bytes)
{
    struct context *context;
    CUresult result = stream_enter(stream, &context);
    if (result == CUDA_SUCCESS && target_array)
        result = make_row_side(call, "write", target_array, target.address, bytes, &target);
    if (result == CUDA_SUCCESS && source_array)
        result = make_row_side(call, "read", source_array, source.address, bytes, &source);
    if (result == CUDA_SUCCESS) {
        unordered_begin(stream, context);
        result = late_catch_up(context);
    }
    if (result == CUDA_SUCCESS)
        result = copy(call, &target, &source, bytes, 1, NULL);
    return driver_leave(result);
}

CUresult cuMemcpyHtoA_v2(CUarray target, size_t offset, const void *source, size_t bytes)
{
    struct side to = {SIDE_DEVICE, offset, bytes}, from = {SIDE_HOST, host_address(source), bytes};
    return target ? copy_array_row("cuMemcpyHtoA", NULL, target, to, NULL, from, bytes) : CUDA_ERROR_INVALID_HANDLE;
}
DRIVER_SAME(cuMemcpyHtoA_v2_ptds, cuMemcpyHtoA_v2);

CUresult cuMemcpyHtoAAsync_v2(CUarray target, size_t offset, const void *source, size_t bytes, CUstream stream)
{
    struct side to = {SIDE_DEVICE, offset, bytes}, from = {SIDE_HOST, host_address(source), bytes};
    return target ? copy_array_row("cuMemcpyHtoAAsync", stream, target, to, NULL, from, bytes) : CUDA_ERROR_INVALID_HANDLE;
}
DRIVER_SAME(cuMemcpyHtoAAsync_v2_ptsz, cuMemcpyHtoAAsync_v2);

CUresult cuMemcpyAtoH_v2(void *target, CUarray source, size_t offset, size_t bytes)
{
    struct side to = {SIDE_HOST, host_address(target), bytes}, from = {SIDE_DEVICE, offset, bytes};
    return source ? copy_array_row("cuMemcpyAtoH", NULL, NULL, to, source, from, bytes) : CUDA_ERROR_INVALID_HANDLE;
}
DRIVER_SAME(cuMemcpyAtoH_v2_ptds, cuMemcpyAtoH_v2);

CUresult cuMemcpyAtoHAsync_v2(void *target, CUarray source, size_t offset, size_t bytes, CUstream stream)
{
    struct side to = {SIDE_HOST, host_address(target), bytes}, from = {SIDE_DEVICE, offset, bytes};
    return source ? copy_array_row("cuMemcpyAtoHAsync", stream, NULL, to, source, from, bytes) : CUDA_ERROR_INVALID_HANDLE;
}
DRIVER_SAME(cuMemcpyAtoHAsync_v2_ptsz, cuMemcpyAtoHAsync_v2);

CUresult cuMemcpyDtoA_v2(CUarray target, size_t offset, CUdeviceptr source, size_t bytes)
{
    struct side to = {SIDE_DEVICE, offset, bytes}, from = {SIDE_DEVICE, source, bytes};
    return target ? copy_array_row("cuMemcpyDtoA", NULL, target, to, NULL, from, bytes) : CUDA_ERROR_INVALID_HANDLE;
}
DRIVER_SAME(cuMemcpyDtoA_v2_ptds, cuMemcpyDtoA_v2);

CUresult cuMemcpyAtoD_v2(CUdeviceptr target, CUarray source, size_t offset, size_t bytes)
{
    struct side to = {SIDE_DEVICE, target, bytes}, from = {SIDE_DEVICE, offset, bytes};
    return source ? copy_array_row("cuMemcpyAtoD", NULL, NULL, to, source, from, bytes) : CUDA_ERROR_INVALID_HANDLE;
}
DRIVER_SAME(cuMemcpyAtoD_v2_ptds, cuMemcpyAtoD_v2);

CUresult cuMemcpyAtoA_v2(CUarray target, size_t target_offset, CUarray source, size_t source_offset, size_t bytes)
{
    struct side to = {SIDE_DEVICE, target_offset, bytes}, from = {SIDE_DEVICE, source_offset, bytes};
    if (!target || !source)
        return CUDA_ERROR_INVALID_HANDLE;
    return copy_array_row("cuMemcpyAtoA", NULL, target, to, source, from, bytes);
}
DRIVER_SAME(cuMemcpyAtoA_v2_ptds, cuMemcpyAtoA_v2);

/* All contexts share one address space, so the contexts only have to exist. */
static CUresult check_peers(CUcontext target, CUcontext source)
{
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS && (!context_find(target) || !context_find(source)))
        result = CUDA_ERROR_INVALID_CONTEXT;
    return driver_leave(result);
}

CUresult cuMemcpyPeer(CUdeviceptr target, CUcontext target_context, CUdeviceptr source, CUcontext source_context,
                      size_t bytes)
{
    CUresult result = check_peers(target_context, source_context);
    if (result != CUDA_SUCCESS)
        return result;
    return copy_row("cuMemcpyPeer", NULL, SIDE_DEVICE, target, SIDE_DEVICE, source, bytes);
}
DRIVER_SAME(cuMemcpyPeer_ptds, cuMemcpyPeer);

CUresult cuMemcpyPeerAsync(CUdeviceptr target, CUcontext target_context, CUdeviceptr source, CUcontext source_context,
                           size_t bytes, CUstream stream)
{
    CUresult result = check_peers(target_context, source_context);
    if (result != CUDA_SUCCESS)
        return result;
    return copy_row("cuMemcpyPeerAsync", stream, SIDE_DEVICE, target, SIDE_DEVICE, source, bytes);
}
DRIVER_SAME(cuMemcpyPeerAsync_ptsz, cuMemcpyPeerAsync);

/* A box in an array: its first byte, where the next row is, and how many rows a slice has. */
static CUresult make_array_side(const char *call, const char *verb, CUarray handle, const struct array_box *box,
                                struct side *side, size_t *slice_rows)
{
    uint64_t slice;
    side->kind = SIDE_DEVICE;
    CUresult result = array_find_box(call, verb, handle, box, &side->address, &side->pitch, &slice);
    *slice_rows = result == CUDA_SUCCESS ? slice / side->pitch : 0;
    return result;
}

/* Turns one side of a CUDA_MEMCPY2D into the address of its first byte. */
static CUresult make_side(CUmemorytype type, const void *host, CUdeviceptr device, size_t x_bytes, size_t y, size_t pitch,
                          size_t width, struct side *side)
{
    if (type < CU_MEMORYTYPE_HOST || type > CU_MEMORYTYPE_UNIFIED)
        return CUDA_ERROR_INVALID_VALUE;
    side->kind = type == CU_MEMORYTYPE_HOST ? SIDE_HOST : type == CU_MEMORYTYPE_DEVICE ? SIDE_DEVICE : SIDE_ANY;
    side->pitch = pitch != 0 ? pitch : width;
    uint64_t skipped;
    if (__builtin_mul_overflow(y, side->pitch, &skipped) || __builtin_add_overflow(skipped, x_bytes, &skipped)
        || __builtin_add_overflow(type == CU_MEMORYTYPE_HOST ? host_address(host) : device, skipped, &side->address))
        return CUDA_ERROR_INVALID_VALUE;
    return width <= side->pitch ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* A rectangle as a box of one slice. */
static struct stream_work rectangle_as_work(const char *call, const CUDA_MEMCPY2D *request)
{
    return (struct stream_work){
        .manner = &manner,
        .call = call,
        .type = CU_GRAPH_NODE_TYPE_MEMCPY,
        .copy =
            {
                .srcXInBytes = request->srcXInBytes,
                .srcY = request->srcY,
                .srcMemoryType = request->srcMemoryType,
                .srcHost = request->srcHost,
                .srcDevice = request->srcDevice,
                .srcArray = request->srcArray,
                .srcPitch = request->srcPitch,
                .dstXInBytes = request->dstXInBytes,
                .dstY = request->dstY,
                .dstMemoryType = request->dstMemoryType,
                .dstHost = request->dstHost,
                .dstDevice = request->dstDevice,
                .dstArray = request->dstArray,
                .dstPitch = request->dstPitch,
                .WidthInBytes = request->WidthInBytes,
                .Height = request->Height,
                .Depth = 1,
            },
    };
}

static CUresult copy_rectangle(const char *call, const CUDA_MEMCPY2D *request, CUstream stream)
{
    struct context *context;
    struct side target, source;
    bool recorded = false;
    CUresult result = stream_enter(stream, &context);
    if (result == CUDA_SUCCESS && !request)
        result = CUDA_ERROR_INVALID_VALUE;
    size_t rows;
    struct array_box box = {0};
    if (result == CUDA_SUCCESS)
        box = (struct array_box){request->dstXInBytes, request->dstY, 0, request->WidthInBytes, request->Height, 1};
    if (result == CUDA_SUCCESS && request->dstMemoryType == CU_MEMORYTYPE_ARRAY)
        result = make_array_side(call, "write", request->dstArray, &box, &target, &rows);
    else if (result == CUDA_SUCCESS)
        result = make_side(request->dstMemoryType, request->dstHost, request->dstDevice, request->dstXInBytes, request->dstY,
                           request->dstPitch, request->WidthInBytes, &target);
    if (result == CUDA_SUCCESS)
        box = (struct array_box){request->srcXInBytes, request->srcY, 0, request->WidthInBytes, request->Height, 1};
    if (result == CUDA_SUCCESS && request->srcMemoryType == CU_MEMORYTYPE_ARRAY)
        result = make_array_side(call, "read", request->srcArray, &box, &source, &rows);
    else if (result == CUDA_SUCCESS)
        result = make_side(request->srcMemoryType, request->srcHost, request->srcDevice, request->srcXInBytes, request->srcY,
                           request->srcPitch, request->WidthInBytes, &source);
    if (result == CUDA_SUCCESS) {
        struct stream_work work = rectangle_as_work(call, request);
        result = stream_put(stream, context, &work, &recorded);
    }
    if (result == CUDA_SUCCESS && !recorded)
        result = copy(call, &target, &source, request->WidthInBytes, request->Height, NULL);
    return driver_leave(result);
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *request)
{
    return copy_rectangle("cuMemcpy2D", request, NULL);
}
DRIVER_SAME(cuMemcpy2D_v2_ptds, cuMemcpy2D_v2);

CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *request)
{
    return copy_rectangle("cuMemcpy2DUnaligned", request, NULL);
}
DRIVER_SAME(cuMemcpy2DUnaligned_v2_ptds, cuMemcpy2DUnaligned_v2);

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *request, CUstream stream)
{
    return copy_rectangle("cuMemcpy2DAsync", request, stream);
}
DRIVER_SAME(cuMemcpy2DAsync_v2_ptsz, cuMemcpy2DAsync_v2);

/* Moves a side by `slices` slices of `height` rows. */
static bool move_side(struct side *side, size_t height, size_t slices)
{
    uint64_t bytes;
    return !__builtin_mul_overflow(height, slices, &bytes) && !__builtin_mul_overflow(bytes, side->pitch, &bytes)
           && !__builtin_add_overflow(side->address, bytes, &side->address);
}

/* One side of a copy of a box, at its first slice. */
static CUresult make_box_side(const char *call, const char *verb, const CUDA_MEMCPY3D *request, bool is_target,
                              struct side *side, size_t *height)
{
    size_t x = is_target ? request->dstXInBytes : request->srcXInBytes, y = is_target ? request->dstY : request->srcY;
    size_t z = is_target ? request->dstZ : request->srcZ, pitch = is_target ? request->dstPitch : request->srcPitch;
    CUmemorytype type = is_target ? request->dstMemoryType : request->srcMemoryType;
    if (type == CU_MEMORYTYPE_ARRAY) {
        struct array_box box = {x, y, z, request->WidthInBytes, request->Height, request->Depth};
        return make_array_side(call, verb, is_target ? request->dstArray : request->srcArray, &box, side, height);
    }
    CUresult result = make_side(type, is_target ? request->dstHost : request->srcHost,
                                is_target ? request->dstDevice : request->srcDevice, x, y, pitch, request->WidthInBytes,
                                side);
    return result == CUDA_SUCCESS && !move_side(side, *height, z) ? CUDA_ERROR_INVALID_VALUE : result;
}

static CUresult copy_slices(const char *call, const CUDA_MEMCPY3D *request, struct copy_look *look)
{
    struct side target, source;
    if (request->srcLOD != 0 || request->dstLOD != 0)
        return CUDA_ERROR_INVALID_VALUE;
    size_t target_height = request->dstHeight ? request->dstHeight : request->Height;
    size_t source_height = request->srcHeight ? request->srcHeight : request->Height;
    CUresult result = make_box_side(call, "write", request, true, &target, &target_height);
    if (result == CUDA_SUCCESS)
        result = make_box_side(call, "read", request, false, &source, &source_height);
    for (size_t slice = 0; result == CUDA_SUCCESS && slice < request->Depth; slice++) {
        result = copy(call, &target, &source, request->WidthInBytes, request->Height, look);
        if (slice + 1 < request->Depth && (!move_side(&target, target_height, 1) || !move_side(&source, source_height, 1)))
            result = CUDA_ERROR_INVALID_VALUE;
    }
    return result;
}

CUresult copy_box_run(const char *call, const CUDA_MEMCPY3D *request)
{
    return copy_slices(call, request, NULL);
}

/* Checks a copy without making it. */
static CUresult look_at(const char *call, const CUDA_MEMCPY3D *request, struct copy_look *look)
{
    look->touches_nothing = true;
    return copy_slices(call, request, look);
}

/* The rows that a copy reads from memory that the driver does not know, one behind the other; the copy reads these
 * instead. */
static void *keep_source(CUDA_MEMCPY3D *copy)
{
    size_t pitch = copy->srcPitch ? copy->srcPitch : copy->WidthInBytes,
           height = copy->srcHeight ? copy->srcHeight : copy->Height;
    const uint8_t *from = copy->srcMemoryType == CU_MEMORYTYPE_HOST
                              ? copy->srcHost
                              : (const void *)(uintptr_t)copy->srcDevice; /* NOLINT(performance-no-int-to-ptr) */
    uint8_t *rows = malloc(copy->WidthInBytes * copy->Height * copy->Depth), *to = rows;
    for (size_t z = 0; rows && z < copy->Depth; z++)
        for (size_t y = 0; y < copy->Height; y++, to += copy->WidthInBytes)
            memcpy(to, from + ((copy->srcZ + z) * height + copy->srcY + y) * pitch + copy->srcXInBytes, copy->WidthInBytes);
    copy->srcMemoryType = CU_MEMORYTYPE_HOST;
    copy->srcHost = rows;
    copy->srcPitch = copy->WidthInBytes;
    copy->srcHeight = copy->Height;
    copy->srcXInBytes = copy->srcY = copy->srcZ = 0;
    return rows;
}

static CUresult prepare(struct context *context, struct stream_work *work, void **memory, bool *at_once)
{
    (void)context;
    struct copy_look look = {0};
    CUresult result = look_at(work->call, &work->copy, &look);
    *at_once = look.is_waited_for || look.touches_nothing;
    if (result == CUDA_SUCCESS && !*at_once && look.reads_unshared)
        *at_once = !(*memory = keep_source(&work->copy));
    look.enters = true;
    return result == CUDA_SUCCESS && !*at_once ? look_at(work->call, &work->copy, &look) : result;
}

static void run(struct context *context, const struct stream_work *work, void *memory)
{
    (void)context;
    (void)memory;
    copy_box_run(work->call, &work->copy);
}

static const struct work_manner manner = {.prepare = prepare, .run = run, .enters = true};

static CUresult copy_box(const char *call, const CUDA_MEMCPY3D *request, CUstream stream)
{
    struct context *context;
    bool recorded = false;
    CUresult result = stream_enter(stream, &context);
    if (result == CUDA_SUCCESS && !request)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        struct stream_work work = {.manner = &manner, .call = call, .type = CU_GRAPH_NODE_TYPE_MEMCPY, .copy = *request};
        result = stream_put(stream, context, &work, &recorded);
    }
    if (result == CUDA_SUCCESS && !recorded)
        result = copy_box_run(call, request);
    return driver_leave(result);
}

CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *request)
{
    return copy_box("cuMemcpy3D", request, NULL);
}
DRIVER_SAME(cuMemcpy3D_v2_ptds, cuMemcpy3D_v2);

CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *request, CUstream stream)
{
    return copy_box("cuMemcpy3DAsync", request, stream);
}
DRIVER_SAME(cuMemcpy3DAsync_v2_ptsz, cuMemcpy3DAsync_v2);
