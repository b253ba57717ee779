/* Operands of the libraries that stand for NVIDIA's (math_libraries/): see lockstep_driver.h. */
#include <stdio.h>

#include "runtime/emulator/driver/capture_port.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/late.h"
#include "runtime/emulator/driver/range.h"
#include "runtime/emulator/driver/stored.h"
#include "runtime/emulator/driver/stream.h"
#include "runtime/emulator/driver/unordered.h"
#include "runtime/emulator/lockstep_driver.h"

DRIVER_EXPORT lockstep_operand_fn lockstepOperand;

/* Bytes from the first to the last of the rows; 0 when that overflows, or a row is empty or longer than the pitch. */
static uint64_t extent(uint64_t width, int64_t growth, uint64_t pitch, uint64_t rows)
{
    int64_t grown, last;
    if (growth == 0)
        return width > 0 ? range_extent(width, rows, pitch) : 0;
    if (rows == 0 || width == 0 || width > INT64_MAX || __builtin_mul_overflow((int64_t)(rows - 1), growth, &grown)
        || __builtin_add_overflow((int64_t)width, grown, &last) || last <= 0)
        return 0;
    uint64_t longest = (uint64_t)last > width ? (uint64_t)last : width;
    if (range_extent(longest, rows, pitch) == 0)
        return 0;
    return range_extent(width, rows, pitch) - width + (uint64_t)last;
}

int lockstepOperand(const char *call, void *stream, uint64_t address, uint64_t width, int64_t growth, uint64_t pitch,
                    uint64_t rows, int access, void **host)
{
    struct context *context;
    struct range range;
    CUresult result = stream_enter(stream, &context);
    uint64_t bytes = extent(width, growth, pitch, rows);
    if (result == CUDA_SUCCESS && (!call || !host || bytes == 0))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && capture_port && capture_port->is_captured(stream)) {
        fprintf(stderr,
                "lockstep: %s computes at once on the emulated device and cannot become part of a graph: call it outside "
                "of the stream's capture\n",
                call);
        result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    if (result == CUDA_SUCCESS)
        result = range_resolve_device(call, access & LOCKSTEP_WRITE ? "write" : "read", address, bytes, &range);
    if (result != CUDA_SUCCESS)
        return (int)driver_leave(result);
    unordered_begin(stream, context);
    result = late_catch_up(context);
    if (result != CUDA_SUCCESS)
        return (int)driver_leave(result);
    if (access & LOCKSTEP_READ)
        unordered_access(call, ACCESS_READ, &range, width, pitch, rows);
    if (access & LOCKSTEP_WRITE)
        unordered_access(call, ACCESS_WRITE, &range, width, pitch, rows);
    if (range.allocation->kind == MEMORY_HOST)
        unordered_forget(range.allocation); /* the library touches it as the host does, and may do so now */
    if (access & LOCKSTEP_WRITE)
        stored_is_incomplete(); /* what the library will store there is not seen */
    bool reported = false;
    for (uint64_t row = 0; row < rows; row++) {
        uint64_t offset = range.offset + row * pitch, length = width + row * (uint64_t)growth;
        if (access & LOCKSTEP_READ && !reported)
            reported = range_report_poison(call, &range, offset, length);
        if (access & LOCKSTEP_WRITE)
            memory_mark_written(range.allocation, offset, length);
    }
    *host = range.host;
    return (int)driver_leave(CUDA_SUCCESS);
}
