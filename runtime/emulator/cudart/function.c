/* Entry points: kernels by their host address: attributes, occupancy. */
#include <stdint.h>
#include <string.h>

#include "runtime/emulator/cudart/registry.h"
#include "runtime/emulator/cudart/runtime.h"

/* Enters and finds the kernel. Returns the code to leave with. */
static cudaError_t enter(const void *host, CUfunction *function)
{
    CUresult result = runtime_enter();
    return result == CUDA_SUCCESS ? registry_get_kernel(host, function) : (cudaError_t)result;
}

#define KERNEL_CALL(host, call)                                                        \
    do {                                                                               \
        CUfunction function;                                                           \
        cudaError_t entered_ = enter(host, &function);                                 \
        return runtime_fail(entered_ == cudaSuccess ? (cudaError_t)(call) : entered_); \
    } while (0)

static CUresult get_attributes(CUfunction function, cudaFuncAttributes *attributes)
{
    int sizes[3];
    const struct {
        CUfunction_attribute attribute;
        int *value;
    } wanted[] = {
        {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &sizes[0]},
        {CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, &sizes[1]},
        {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &sizes[2]},
        {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &attributes->maxThreadsPerBlock},
        {CU_FUNC_ATTRIBUTE_NUM_REGS, &attributes->numRegs},
        {CU_FUNC_ATTRIBUTE_PTX_VERSION, &attributes->ptxVersion},
        {CU_FUNC_ATTRIBUTE_BINARY_VERSION, &attributes->binaryVersion},
        {CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, &attributes->cacheModeCA},
        {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, &attributes->maxDynamicSharedSizeBytes},
        {CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, &attributes->preferredShmemCarveout},
    };
    memset(attributes, 0, sizeof *attributes);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        CUresult result = cuFuncGetAttribute(wanted[i].value, wanted[i].attribute, function);
        if (result != CUDA_SUCCESS)
            return result;
    }
    attributes->sharedSizeBytes = (size_t)sizes[0];
    attributes->constSizeBytes = (size_t)sizes[1];
    attributes->localSizeBytes = (size_t)sizes[2];
    return CUDA_SUCCESS;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *host)
{
    if (!attributes)
        return runtime_fail(cudaErrorInvalidValue);
    KERNEL_CALL(host, get_attributes(function, attributes));
}

/* The attributes that can be set have the driver's numbers. */
cudaError_t cudaFuncSetAttribute(const void *host, int attribute, int value)
{
    KERNEL_CALL(host, cuFuncSetAttribute(function, (CUfunction_attribute)attribute, value));
}

cudaError_t cudaFuncSetCacheConfig(const void *host, CUfunc_cache config)
{
    KERNEL_CALL(host, cuFuncSetCacheConfig(function, config));
}

cudaError_t cudaFuncSetSharedMemConfig(const void *host, CUsharedconfig config)
{
    KERNEL_CALL(host, cuFuncSetSharedMemConfig(function, config));
}

cudaError_t cudaFuncGetName(const char **name, const void *host)
{
    KERNEL_CALL(host, cuFuncGetName(name, function));
}

cudaError_t cudaFuncGetParamInfo(const void *host, size_t index, size_t *offset, size_t *bytes)
{
    KERNEL_CALL(host, cuFuncGetParamInfo(function, index, offset, bytes));
}

static CUresult give(CUfunction *to, CUfunction function)
{
    if (!to)
        return CUDA_ERROR_INVALID_VALUE;
    *to = function;
    return CUDA_SUCCESS;
}

cudaError_t cudaGetFuncBySymbol(CUfunction *found, const void *host)
{
    KERNEL_CALL(host, give(found, function));
}

/* On the emulated driver a kernel's function also serves as the kernel. */
cudaError_t cudaGetKernel(CUkernel *found, const void *host)
{
    KERNEL_CALL(host, give((CUfunction *)found, function));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *block_count, const void *host, int block_size,
                                                                   size_t dynamic_bytes, unsigned flags)
{
    KERNEL_CALL(
        host, cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(block_count, function, block_size, dynamic_bytes, flags));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *block_count, const void *host, int block_size,
                                                          size_t dynamic_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(block_count, host, block_size, dynamic_bytes, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamic_bytes, const void *host, int block_count,
                                                      int block_size)
{
    KERNEL_CALL(host, cuOccupancyAvailableDynamicSMemPerBlock(dynamic_bytes, function, block_count, block_size));
}

/* ---- clusters ---- */

static CUlaunchConfig config_of(const cudaLaunchConfig_t *wanted)
{
    return (CUlaunchConfig){
        .gridDimX = wanted->gridDim.x,
        .gridDimY = wanted->gridDim.y,
        .gridDimZ = wanted->gridDim.z,
        .blockDimX = wanted->blockDim.x,
        .blockDimY = wanted->blockDim.y,
        .blockDimZ = wanted->blockDim.z,
        .sharedMemBytes = wanted->dynamicSmemBytes > UINT32_MAX ? UINT32_MAX : (unsigned)wanted->dynamicSmemBytes,
        .attrs = wanted->attrs,
        .numAttrs = wanted->numAttrs,
    };
}

cudaError_t cudaOccupancyMaxActiveClusters(int *cluster_count, const void *host, const cudaLaunchConfig_t *wanted)
{
    if (!wanted)
        return runtime_fail(cudaErrorInvalidValue);
    CUlaunchConfig config = config_of(wanted);
    KERNEL_CALL(host, cuOccupancyMaxActiveClusters(cluster_count, function, &config));
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *cluster_size, const void *host, const cudaLaunchConfig_t *wanted)
{
    if (!wanted)
        return runtime_fail(cudaErrorInvalidValue);
    CUlaunchConfig config = config_of(wanted);
    KERNEL_CALL(host, cuOccupancyMaxPotentialClusterSize(cluster_size, function, &config));
}
