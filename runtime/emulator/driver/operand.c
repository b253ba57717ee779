/* Operands of the libraries that stand for NVIDIA's (math_libraries/): see lockstep_driver.h. */
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/range.h"
#include "runtime/emulator/driver/stream.h"
#include "runtime/emulator/driver/unordered.h"
#include "runtime/emulator/lockstep_driver.h"

DRIVER_EXPORT lockstep_operand_fn lockstepOperand;

int lockstepOperand(const char *call, void *stream, uint64_t address, uint64_t width, uint64_t pitch, uint64_t rows,
                    int access, void **host)
{
    struct context *context;
    struct range range;
    CUresult result = stream_enter(stream, &context);
    uint64_t bytes = range_extent(width, rows, pitch);
    if (result == CUDA_SUCCESS && (!call || !host || bytes == 0))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = range_resolve_device(call, access & LOCKSTEP_WRITE ? "write" : "read", address, bytes, &range);
    if (result != CUDA_SUCCESS)
        return (int)driver_leave(result);
    unordered_begin(stream, context);
    if (access & LOCKSTEP_READ)
        unordered_access(call, ACCESS_READ, &range, width, pitch, rows);
    if (access & LOCKSTEP_WRITE)
        unordered_access(call, ACCESS_WRITE, &range, width, pitch, rows);
    if (range.allocation->kind == MEMORY_HOST)
        unordered_forget(range.allocation); /* the library touches it as the host does, and may do so now */
    bool reported = false;
    for (uint64_t row = 0; row < rows; row++) {
        uint64_t offset = range.offset + row * pitch;
        if (access & LOCKSTEP_READ && !reported)
            reported = range_report_poison(call, "reads", &range, offset, width);
        if (access & LOCKSTEP_WRITE)
            memory_mark_written(range.allocation, offset, width);
    }
    *host = range.host;
    return (int)driver_leave(CUDA_SUCCESS);
}
