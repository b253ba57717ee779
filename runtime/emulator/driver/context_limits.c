/* Entry points: limits and preferences of the current context. */
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"

/* Only launches from kernels would need it, and devices of compute capability 9.0 and later no longer have it. */
static bool limit_exists(CUlimit limit)
{
    return (unsigned)limit < CONTEXT_LIMIT_COUNT && limit != CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH;
}

/* As the device's attribute says. */
static size_t most_persisting(void)
{
    return driver.profile->major >= 8 ? driver.profile->l2_bytes / 4 * 3 : 0;
}

static CUresult set_limit(struct context *context, CUlimit limit, size_t value)
{
    if (!limit_exists(limit))
        return CUDA_ERROR_UNSUPPORTED_LIMIT;
    if (limit == CU_LIMIT_MAX_L2_FETCH_GRANULARITY) /* a hint of 0 to 128 bytes */
        value = value > 128 ? 128 : value;
    else if (limit == CU_LIMIT_PERSISTING_L2_CACHE_SIZE && value > most_persisting())
        return CUDA_ERROR_INVALID_VALUE;
    else if (limit == CU_LIMIT_STACK_SIZE && value > (size_t)512 << 10) /* the most local memory that a thread can have */
        return CUDA_ERROR_INVALID_VALUE;
    else if (value > memory_capacity(driver.memory))
        return CUDA_ERROR_OUT_OF_MEMORY;
    context->limits[limit] = value;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    struct context *context;
    CUresult result = driver_enter_unsafe(&context);
    return driver_leave(result == CUDA_SUCCESS ? set_limit(context, limit, value) : result);
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS && !value)
        result = CUDA_ERROR_INVALID_VALUE;
    else if (result == CUDA_SUCCESS && !limit_exists(limit))
        result = CUDA_ERROR_UNSUPPORTED_LIMIT;
    if (result == CUDA_SUCCESS)
        *value = context->limits[limit];
    return driver_leave(result);
}

/* Preferences are kept so that they can be read back; the emulated device has one size of cache. */
CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS && (unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        context->cache = config;
    return driver_leave(result);
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS && !config)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *config = context->cache;
    return driver_leave(result);
}

/* Shared memory has had banks of four bytes since compute capability 5.0; other sizes are accepted and ignored. */
CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS && (unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
        result = CUDA_ERROR_INVALID_VALUE;
    return driver_leave(result);
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS && !config)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *config = context->shared_config;
    return driver_leave(result);
}

CUresult cuCtxResetPersistingL2Cache(void)
{
    struct context *context;
    return driver_leave(driver_enter(&context));
}
