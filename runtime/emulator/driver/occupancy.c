/* Entry points: how many blocks of a function fit a multiprocessor, and which block size is best. */
#include <stdint.h>

#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/function.h"
#include "runtime/emulator/machine/cluster.h"
#include "runtime/emulator/machine/launch_limits.h"

/* Enters and finds the function. */
static CUresult enter(CUfunction handle, const struct function **function)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    *function = function_find(handle);
    return *function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static uint32_t blocks_that_fit(const struct function *function, uint32_t threads, size_t dynamic_bytes)
{
    if (dynamic_bytes > UINT32_MAX)
        return 0;
    return launch_limits_blocks(function->kernel, driver.profile, threads, (uint32_t)dynamic_bytes);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *block_count, CUfunction handle, int block_size,
                                                              size_t dynamic_bytes, unsigned flags)
{
    const struct function *function;
    CUresult result = enter(handle, &function);
    if (result == CUDA_SUCCESS && (!block_count || block_size <= 0 || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *block_count = (int)blocks_that_fit(function, (uint32_t)block_size, dynamic_bytes);
    return driver_leave(result);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *block_count, CUfunction handle, int block_size,
                                                     size_t dynamic_bytes)
{
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(block_count, handle, block_size, dynamic_bytes, 0);
}

struct dynamic_query {
    CUoccupancyB2DSize function;
    int block_size;
    size_t bytes;
};

static void ask_dynamic(void *data)
{
    struct dynamic_query *query = data;
    query->bytes = query->function(query->block_size);
}

/* The block size that keeps most threads resident; of equals the largest. */
static void find_best(CUfunction handle, CUoccupancyB2DSize dynamic_of_block, size_t dynamic_bytes, int limit,
                      int *best_size, uint32_t *best_blocks)
{
    int largest;
    *best_size = 0;
    *best_blocks = 0;
    if (function_get_attribute(function_find(handle), CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &largest) != CUDA_SUCCESS)
        return;
    if (limit > 0 && limit < largest)
        largest = limit;
    for (int size = largest; size > 0; size = size % 32 != 0 ? size - size % 32 : size - 32) {
        struct dynamic_query query = {dynamic_of_block, size, dynamic_bytes};
        if (dynamic_of_block)
            driver_call_back(ask_dynamic, &query);
        const struct function *function = function_find(handle);
        if (!function) /* the callback unloaded the module */
            return;
        uint32_t blocks = blocks_that_fit(function, (uint32_t)size, query.bytes);
        if ((uint64_t)blocks * (uint32_t)size > (uint64_t)*best_blocks * (uint32_t)*best_size) {
            *best_blocks = blocks;
            *best_size = size;
        }
    }
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid_size, int *block_size, CUfunction handle,
                                                   CUoccupancyB2DSize dynamic_of_block, size_t dynamic_bytes, int limit,
                                                   unsigned flags)
{
    const struct function *function;
    CUresult result = enter(handle, &function);
    if (result == CUDA_SUCCESS && (!grid_size || !block_size || limit < 0 || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        uint32_t blocks;
        find_best(handle, dynamic_of_block, dynamic_bytes, limit, block_size, &blocks);
        *grid_size = (int)(blocks * driver.profile->multiprocessors);
    }
    return driver_leave(result);
}

CUresult cuOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, CUfunction handle,
                                          CUoccupancyB2DSize dynamic_of_block, size_t dynamic_bytes, int limit)
{
    return cuOccupancyMaxPotentialBlockSizeWithFlags(grid_size, block_size, handle, dynamic_of_block, dynamic_bytes, limit,
                                                     0);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamic_bytes, CUfunction handle, int block_count, int block_size)
{
    const struct function *function;
    CUresult result = enter(handle, &function);
    if (result == CUDA_SUCCESS && (!dynamic_bytes || block_count <= 0 || block_size <= 0))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    /* more shared memory never lets more blocks fit, so the largest amount can be found by bisection */
    uint32_t low = 0, high = driver.profile->shared_per_block_optin;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (blocks_that_fit(function, (uint32_t)block_size, middle) >= (uint32_t)block_count)
            low = middle;
        else
            high = middle - 1;
    }
    bool possible = blocks_that_fit(function, (uint32_t)block_size, 0) >= (uint32_t)block_count;
    *dynamic_bytes = low;
    return driver_leave(possible ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

/* ---- clusters ---- */

/* Blocks of the launch that the device holds at once; 0: clusters are impossible, or the launch is. */
static uint64_t resident_blocks(const struct function *function, const CUlaunchConfig *config)
{
    uint64_t threads = (uint64_t)config->blockDimX * config->blockDimY * config->blockDimZ;
    if (driver.profile->major < 9 || threads == 0 || threads > driver.profile->max_threads_per_block)
        return 0;
    return (uint64_t)driver.profile->multiprocessors * blocks_that_fit(function, (uint32_t)threads, config->sharedMemBytes);
}

/* Blocks in a cluster of the launch: as the launch says, else the kernel. 0: neither does. */
static uint64_t cluster_blocks(const struct function *function, const CUlaunchConfig *config)
{
    const uint32_t *required = function->kernel->required_cluster;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const CUlaunchAttributeValue *value = &config->attrs[i].value;
        if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
            return (uint64_t)value->clusterDim.x * value->clusterDim.y * value->clusterDim.z;
    }
    return (uint64_t)required[0] * required[1] * required[2];
}

/* As if all multiprocessors could be in one cluster: groups of them (GPCs) are not emulated. */
CUresult cuOccupancyMaxActiveClusters(int *cluster_count, CUfunction handle, const CUlaunchConfig *config)
{
    const struct function *function;
    CUresult result = enter(handle, &function);
    if (result == CUDA_SUCCESS && (!cluster_count || !config))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    uint64_t blocks = cluster_blocks(function, config);
    if (blocks == 0 || blocks > CLUSTER_MOST_BLOCKS)
        return driver_leave(CUDA_ERROR_INVALID_CLUSTER_SIZE);
    *cluster_count = (int)(resident_blocks(function, config) / blocks);
    return driver_leave(CUDA_SUCCESS);
}

CUresult cuOccupancyMaxPotentialClusterSize(int *cluster_size, CUfunction handle, const CUlaunchConfig *config)
{
    const struct function *function;
    CUresult result = enter(handle, &function);
    if (result == CUDA_SUCCESS && (!cluster_size || !config))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    uint64_t blocks = resident_blocks(function, config), largest = function->kernel->max_cluster;
    if (largest == 0 || largest > CLUSTER_MOST_BLOCKS)
        largest = CLUSTER_MOST_BLOCKS;
    *cluster_size = (int)(blocks < largest ? blocks : largest);
    return driver_leave(CUDA_SUCCESS);
}
