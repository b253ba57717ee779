/* Entry points: launching kernels, and host functions in streams. */
#include <stdbool.h>

#include "runtime/emulator/cudart/registry.h"
#include "runtime/emulator/cudart/runtime.h"

/* What <<<...>>> leaves for the stub that it calls; a kernel's argument may itself launch a kernel. */
struct configuration {
    dim3 grid, block;
    size_t shared_bytes;
    CUstream stream;
};

enum { CONFIGURATION_DEPTH = 16 };

static __thread struct configuration configurations[CONFIGURATION_DEPTH];
static __thread int configuration_count;

/* Returns 0 when the stub may be called. */
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, CUstream stream)
{
    if (configuration_count == CONFIGURATION_DEPTH)
        return 1;
    configurations[configuration_count++] = (struct configuration){grid, block, shared_bytes, stream};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream)
{
    if (configuration_count == 0)
        return runtime_fail(cudaErrorMissingConfiguration);
    const struct configuration *configuration = &configurations[--configuration_count];
    *grid = configuration->grid;
    *block = configuration->block;
    *shared_bytes = configuration->shared_bytes;
    *(CUstream *)stream = configuration->stream;
    return cudaSuccess;
}

static bool fits(unsigned value, CUdevice_attribute attribute)
{
    int limit;
    return value > 0 && (cuDeviceGetAttribute(&limit, attribute, 0) != CUDA_SUCCESS || value <= (unsigned)limit);
}

/* Are the numbers of threads and blocks what the device allows? The driver returns INVALID_VALUE for them as for everything
 * else, and since CUDA 13 so does the runtime. */
static bool shape_fits(CUfunction function, const CUlaunchConfig *config)
{
    int limit;
    uint64_t threads = (uint64_t)config->blockDimX * config->blockDimY * config->blockDimZ;
    if (cuFuncGetAttribute(&limit, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function) == CUDA_SUCCESS
        && threads > (uint64_t)limit)
        return false;
    return fits(config->gridDimX, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)
           && fits(config->gridDimY, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)
           && fits(config->gridDimZ, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)
           && fits(config->blockDimX, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X)
           && fits(config->blockDimY, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y)
           && fits(config->blockDimZ, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
}

static cudaError_t launch(const void *host, const CUlaunchConfig *config, void **arguments)
{
    CUfunction function;
    CUresult result = runtime_enter();
    if (result != CUDA_SUCCESS)
        return runtime_leave(result);
    cudaError_t error = registry_get_kernel(host, &function);
    if (error != cudaSuccess)
        return runtime_fail(error);
    result = cuLaunchKernelEx(config, function, arguments, NULL);
    if (CUDART_MAJOR < 13 && result == CUDA_ERROR_INVALID_VALUE && !shape_fits(function, config))
        return runtime_fail(cudaErrorInvalidConfiguration);
    return runtime_leave(result);
}

static CUlaunchConfig config_of(dim3 grid, dim3 block, size_t shared_bytes, CUstream stream)
{
    return (CUlaunchConfig){
        .gridDimX = grid.x,
        .gridDimY = grid.y,
        .gridDimZ = grid.z,
        .blockDimX = block.x,
        .blockDimY = block.y,
        .blockDimZ = block.z,
        .sharedMemBytes = shared_bytes > UINT32_MAX ? UINT32_MAX : (unsigned)shared_bytes,
        .hStream = stream,
    };
}

cudaError_t cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared_bytes, CUstream stream)
{
    CUlaunchConfig config = config_of(grid, block, shared_bytes, stream);
    return launch(host, &config, arguments);
}
RUNTIME_SAME(cudaLaunchKernel_ptsz, cudaLaunchKernel);

/* The kernel is what __cudaGetKernel returned. */
cudaError_t __cudaLaunchKernel(CUkernel kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                               CUstream stream)
{
    return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}
RUNTIME_SAME(__cudaLaunchKernel_ptsz, __cudaLaunchKernel);

cudaError_t cudaLaunchCooperativeKernel(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                                        CUstream stream)
{
    CUlaunchConfig config = config_of(grid, block, shared_bytes, stream);
    CUlaunchAttribute attribute = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};
    config.attrs = &attribute;
    config.numAttrs = 1;
    return launch(host, &config, arguments);
}
RUNTIME_SAME(cudaLaunchCooperativeKernel_ptsz, cudaLaunchCooperativeKernel);

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *wanted, const void *host, void **arguments)
{
    if (!wanted)
        return runtime_fail(cudaErrorInvalidValue);
    CUlaunchConfig config = config_of(wanted->gridDim, wanted->blockDim, wanted->dynamicSmemBytes, wanted->stream);
    config.attrs = wanted->attrs;
    config.numAttrs = wanted->numAttrs;
    return launch(host, &config, arguments);
}
RUNTIME_SAME(cudaLaunchKernelExC_ptsz, cudaLaunchKernelExC);

cudaError_t cudaLaunchHostFunc(CUstream stream, CUhostFn function, void *user_data)
{
    RUNTIME_CALL(cuLaunchHostFunc(stream, function, user_data));
}
RUNTIME_SAME(cudaLaunchHostFunc_ptsz, cudaLaunchHostFunc);

cudaError_t cudaStreamAddCallback(CUstream stream, CUstreamCallback function, void *user_data, unsigned flags)
{
    RUNTIME_CALL(cuStreamAddCallback(stream, function, user_data, flags));
}
RUNTIME_SAME(cudaStreamAddCallback_ptsz, cudaStreamAddCallback);
