/* Entry points: launching as before CUDA 4: the function remembers the shape of its blocks and its parameters, set one by
 * one, until it is launched. PyCUDA still launches this way. */
#include <string.h>

#include "runtime/emulator/driver/capture_port.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/kernel_launch.h"
#include "runtime/emulator/driver/module.h"
#include "runtime/emulator/driver/stream.h"
#include "runtime/emulator/driver/stream_work.h"

/* Enters and finds the function. */
static CUresult enter(CUfunction handle, struct function **function)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    *function = function_find(handle);
    return *function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* Does the device allow blocks of this shape? */
static bool shape_fits(const uint32_t block[3])
{
    const struct profile *profile = driver.profile;
    for (int i = 0; i < 3; i++)
        if (block[i] == 0 || block[i] > profile->max_block[i])
            return false;
    return (uint64_t)block[0] * block[1] * block[2] <= profile->max_threads_per_block;
}

CUresult cuFuncSetBlockShape(CUfunction handle, int x, int y, int z)
{
    struct function *function;
    CUresult result = enter(handle, &function);
    struct kernel_launch call = {
        .function = handle, .grid = {1, 1, 1}, .block = {(uint32_t)x, (uint32_t)y, (uint32_t)z}, .extra = NULL};
    if (result == CUDA_SUCCESS && (x < 0 || y < 0 || z < 0))
        result = CUDA_ERROR_INVALID_VALUE;
    else if (result == CUDA_SUCCESS && !shape_fits(call.block)) { /* the finding of a launch names the limit */
        struct context *context;
        result = context_get_usable(&context);
        if (result == CUDA_SUCCESS)
            result = kernel_launch_check(context, &call);
    }
    if (result == CUDA_SUCCESS)
        memcpy(function->parts.block, (uint32_t[]){(uint32_t)x, (uint32_t)y, (uint32_t)z}, sizeof function->parts.block);
    return driver_leave(result);
}

CUresult cuFuncSetSharedSize(CUfunction handle, unsigned bytes)
{
    struct function *function;
    CUresult result = enter(handle, &function);
    if (result == CUDA_SUCCESS)
        function->parts.shared_bytes = bytes;
    return driver_leave(result);
}

CUresult cuParamSetSize(CUfunction handle, unsigned bytes)
{
    struct function *function;
    CUresult result = enter(handle, &function);
    if (result == CUDA_SUCCESS && bytes > FUNCTION_PARTS_BYTES)
        result = CUDA_ERROR_INVALID_VALUE;
    return driver_leave(result);
}

CUresult cuParamSetv(CUfunction handle, int offset, void *value, unsigned bytes)
{
    struct function *function;
    CUresult result = enter(handle, &function);
    if (result == CUDA_SUCCESS
        && (offset < 0 || offset > FUNCTION_PARTS_BYTES || !value || bytes > FUNCTION_PARTS_BYTES - (unsigned)offset))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        memcpy(function->parts.parameters + offset, value, bytes);
    return driver_leave(result);
}

CUresult cuParamSeti(CUfunction handle, int offset, unsigned value)
{
    return cuParamSetv(handle, offset, &value, sizeof value);
}

CUresult cuParamSetf(CUfunction handle, int offset, float value)
{
    return cuParamSetv(handle, offset, &value, sizeof value);
}

static CUresult launch(CUfunction handle, int width, int height, CUstream stream)
{
    struct context *context;
    CUresult result = stream_enter(stream, &context);
    struct function *function = result == CUDA_SUCCESS ? function_find(handle) : NULL;
    if (result == CUDA_SUCCESS && !function)
        result = CUDA_ERROR_INVALID_HANDLE;
    else if (result == CUDA_SUCCESS && (width < 0 || height < 0)) /* 0 is refused with a finding */
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    struct function_parts *parts = &function->parts;
    size_t bytes = sizeof parts->parameters; /* NVIDIA's driver does not check the size that was set either */
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, parts->parameters, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     CU_LAUNCH_PARAM_END};
    struct kernel_launch call = {
        .function = handle,
        .grid = {(uint32_t)width, (uint32_t)height, 1},
        .block = {parts->block[0], parts->block[1], parts->block[2]},
        .shared_bytes = parts->shared_bytes,
        .stream = stream,
        .extra = extra,
    };
    bool recorded = false;
    struct stream_work work = {.manner = &kernel_launch_manner, .type = CU_GRAPH_NODE_TYPE_KERNEL, .kernel = call};
    result = stream_put(stream, context, &work, &recorded);
    return driver_leave(result == CUDA_SUCCESS && !recorded ? kernel_launch_run(context, &call) : result);
}

CUresult cuLaunchGridAsync(CUfunction handle, int width, int height, CUstream stream)
{
    return launch(handle, width, height, stream);
}

CUresult cuLaunchGrid(CUfunction handle, int width, int height)
{
    return launch(handle, width, height, NULL);
}

CUresult cuLaunch(CUfunction handle)
{
    return launch(handle, 1, 1, NULL);
}
