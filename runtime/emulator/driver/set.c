/* Entry points: filling memory with a repeated value. */
#include "runtime/emulator/driver/set.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/driver/call_place.h"
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

/* Writes `count` elements of 1, 2 or 4 bytes. */
static void fill(uint8_t *target, uint32_t value, unsigned element_bytes, uint64_t count)
{
    uint64_t bytes = count * element_bytes;
    uint8_t first = (uint8_t)value;
    uint32_t repeated = first * UINT32_C(0x01010101);
    if (memcmp(&repeated, &value, element_bytes) == 0) {
        memset(target, first, bytes);
        return;
    }
    /* one element, then copies of what is there, doubling each time */
    memcpy(target, &value, element_bytes);
    for (uint64_t done = element_bytes; done < bytes;) {
        uint64_t next = done < bytes - done ? done : bytes - done;
        if (next > 65536) /* from a source that stays in the cache */
            next = 65536;
        memcpy(target + done, target, next);
        done += next;
    }
}

static bool is_empty(const CUDA_MEMSET_NODE_PARAMS *wanted)
{
    return wanted->width == 0 || wanted->height == 0;
}

/* What is set; it is not empty. */
static CUresult resolve(const char *call, const CUDA_MEMSET_NODE_PARAMS *wanted, struct range *range, uint64_t *row_bytes)
{
    uint64_t extent = 0, pitch = wanted->pitch;
    if (!__builtin_mul_overflow(wanted->width, wanted->elementSize, row_bytes))
        extent = range_extent(*row_bytes, wanted->height, pitch);
    if (extent == 0 || wanted->dst % wanted->elementSize != 0 || (wanted->height > 1 && pitch % wanted->elementSize != 0))
        return CUDA_ERROR_INVALID_VALUE;
    return range_resolve_device(call, "write", wanted->dst, extent, range);
}

/* The manual: of memory that the host shares, it is synchronous. */
static bool host_waits(const char *call, const struct range *range)
{
    return range->allocation->kind == MEMORY_HOST && !strstr(call, "Async") && !strstr(call, "Graph");
}

/* Is the byte one of those that a program repeats for the sake of what they make of a wider element? 0, and 0xff, which makes -1
 * and NaN; large values that stand for infinity, 0x3f and 0x7f and their negative counterparts 0x80, 0xc0, 0xc1 and 0xcf, and
 * patterns that make memory conspicuous which nobody has written since: 0x55 and 0xaa, 0x5a and 0xa5, 0xcc and 0xcd. */
static bool is_meant_as_a_byte(uint8_t value)
{
    static const uint8_t idioms[] = {0, 0xff, 0x3f, 0x7f, 0x80, 0xc0, 0xc1, 0xcf, 0x55, 0xaa, 0x5a, 0xa5, 0xcc, 0xcd};
    return memchr(idioms, value, sizeof idioms) != NULL;
}

/* Remembers a fill byte by byte whose value may have been meant for wider elements, with the program's call (observe/fills.c). */
static void note(const CUDA_MEMSET_NODE_PARAMS *wanted, const struct range *range, uint64_t row_bytes)
{
    struct call_place *place = NULL;
    uint64_t extent = (wanted->height - 1) * wanted->pitch + row_bytes;
    if (driver.settings->checks < CHECKS_POISON || (wanted->height > 1 && wanted->elementSize != 1))
        return;
    if (wanted->elementSize == 1 && !is_meant_as_a_byte((uint8_t)wanted->value)) {
        place = malloc(sizeof *place);
        if (place && (late_is_on() || !call_place_find(place) || !strstr(place->name, "Memset"))) {
            free(place);
            place = NULL;
        }
    }
    if (place || wanted->height == 1) /* rows leave what is between them */
        memory_note_fill(range->allocation, range->offset, extent, (uint8_t)wanted->value, place);
}

/* Enters it into the order of work. */
static void enter(const char *call, const CUDA_MEMSET_NODE_PARAMS *wanted, const struct range *range, uint64_t row_bytes)
{
    unordered_access(call, ACCESS_WRITE, range, row_bytes, wanted->height > 1 ? wanted->pitch : row_bytes, wanted->height);
}

static CUresult prepare(struct context *context, struct stream_work *work, void **memory, bool *at_once)
{
    struct range range;
    uint64_t row_bytes;
    (void)context;
    *memory = NULL;
    *at_once = is_empty(&work->fill);
    CUresult result = *at_once ? CUDA_SUCCESS : resolve(work->call, &work->fill, &range, &row_bytes);
    if (result != CUDA_SUCCESS || *at_once)
        return result;
    *at_once = host_waits(work->call, &range);
    if (!*at_once)
        enter(work->call, &work->fill, &range, row_bytes);
    return CUDA_SUCCESS;
}

CUresult set_run(const char *call, const CUDA_MEMSET_NODE_PARAMS *wanted)
{
    struct range range;
    uint64_t row_bytes, pitch = wanted->pitch;
    if (is_empty(wanted))
        return CUDA_SUCCESS;
    CUresult result = resolve(call, wanted, &range, &row_bytes);
    if (result != CUDA_SUCCESS)
        return result;
    enter(call, wanted, &range, row_bytes);
    if (host_waits(call, &range)) {
        order_host_now();
        unordered_settle();
    }
    for (uint64_t row = 0; row < wanted->height; row++) {
        fill(range.host + row * pitch, wanted->value, wanted->elementSize, wanted->width);
        memory_mark_written(range.allocation, range.offset + row * pitch, row_bytes);
    }
    note(wanted, &range, row_bytes);
    stored_by_fill(wanted->value, wanted->elementSize, wanted->width * wanted->height);
    return CUDA_SUCCESS;
}

static void run(struct context *context, const struct stream_work *work, void *memory)
{
    (void)context;
    (void)memory;
    set_run(work->call, &work->fill);
}

static const struct work_manner manner = {.prepare = prepare, .run = run, .enters = true};

/* Sets height rows of width elements, `pitch` bytes apart. */
static CUresult set(const char *call, CUstream stream, uint64_t address, uint64_t pitch, uint32_t value,
                    unsigned element_bytes, uint64_t width, uint64_t height)
{
    struct context *context;
    bool recorded;
    struct stream_work work = {.manner = &manner,
                               .call = call,
                               .type = CU_GRAPH_NODE_TYPE_MEMSET,
                               .fill = {address, pitch, value, element_bytes, width, height}};
    CUresult result = stream_submit(stream, &work, &context, &recorded);
    return driver_leave(result == CUDA_SUCCESS && !recorded ? set_run(call, &work.fill) : result);
}

CUresult cuMemsetD8_v2(CUdeviceptr target, unsigned char value, size_t count)
{
    return set("cuMemsetD8", NULL, target, 0, value, 1, count, 1);
}
DRIVER_SAME(cuMemsetD8_v2_ptds, cuMemsetD8_v2);

CUresult cuMemsetD16_v2(CUdeviceptr target, unsigned short value, size_t count)
{
    return set("cuMemsetD16", NULL, target, 0, value, 2, count, 1);
}
DRIVER_SAME(cuMemsetD16_v2_ptds, cuMemsetD16_v2);

CUresult cuMemsetD32_v2(CUdeviceptr target, unsigned value, size_t count)
{
    return set("cuMemsetD32", NULL, target, 0, value, 4, count, 1);
}
DRIVER_SAME(cuMemsetD32_v2_ptds, cuMemsetD32_v2);

CUresult cuMemsetD8Async(CUdeviceptr target, unsigned char value, size_t count, CUstream stream)
{
    return set("cuMemsetD8Async", stream, target, 0, value, 1, count, 1);
}
DRIVER_SAME(cuMemsetD8Async_ptsz, cuMemsetD8Async);

CUresult cuMemsetD16Async(CUdeviceptr target, unsigned short value, size_t count, CUstream stream)
{
    return set("cuMemsetD16Async", stream, target, 0, value, 2, count, 1);
}
DRIVER_SAME(cuMemsetD16Async_ptsz, cuMemsetD16Async);

CUresult cuMemsetD32Async(CUdeviceptr target, unsigned value, size_t count, CUstream stream)
{
    return set("cuMemsetD32Async", stream, target, 0, value, 4, count, 1);
}
DRIVER_SAME(cuMemsetD32Async_ptsz, cuMemsetD32Async);

CUresult cuMemsetD2D8_v2(CUdeviceptr target, size_t pitch, unsigned char value, size_t width, size_t height)
{
    return set("cuMemsetD2D8", NULL, target, pitch, value, 1, width, height);
}
DRIVER_SAME(cuMemsetD2D8_v2_ptds, cuMemsetD2D8_v2);

CUresult cuMemsetD2D16_v2(CUdeviceptr target, size_t pitch, unsigned short value, size_t width, size_t height)
{
    return set("cuMemsetD2D16", NULL, target, pitch, value, 2, width, height);
}
DRIVER_SAME(cuMemsetD2D16_v2_ptds, cuMemsetD2D16_v2);

CUresult cuMemsetD2D32_v2(CUdeviceptr target, size_t pitch, unsigned value, size_t width, size_t height)
{
    return set("cuMemsetD2D32", NULL, target, pitch, value, 4, width, height);
}
DRIVER_SAME(cuMemsetD2D32_v2_ptds, cuMemsetD2D32_v2);

CUresult cuMemsetD2D8Async(CUdeviceptr target, size_t pitch, unsigned char value, size_t width, size_t height,
                           CUstream stream)
{
    return set("cuMemsetD2D8Async", stream, target, pitch, value, 1, width, height);
}
DRIVER_SAME(cuMemsetD2D8Async_ptsz, cuMemsetD2D8Async);

CUresult cuMemsetD2D16Async(CUdeviceptr target, size_t pitch, unsigned short value, size_t width, size_t height,
                            CUstream stream)
{
    return set("cuMemsetD2D16Async", stream, target, pitch, value, 2, width, height);
}
DRIVER_SAME(cuMemsetD2D16Async_ptsz, cuMemsetD2D16Async);

CUresult cuMemsetD2D32Async(CUdeviceptr target, size_t pitch, unsigned value, size_t width, size_t height, CUstream stream)
{
    return set("cuMemsetD2D32Async", stream, target, pitch, value, 4, width, height);
}
DRIVER_SAME(cuMemsetD2D32Async_ptsz, cuMemsetD2D32Async);
