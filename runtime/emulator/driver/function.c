/* Entry points: functions of modules. */
#include "runtime/emulator/driver/function.h"

#include <limits.h>

#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/machine/program.h"

/* Threads that a block of the function can have: what it declares, else what its registers allow. */
static int max_threads(const struct program_function *kernel)
{
    if (kernel->max_threads > 0)
        return (int)kernel->max_threads;
    uint32_t threads = driver.profile->max_threads_per_block;
    /* registers are handed out to whole warps */
    while (threads > 32 && kernel->register_count * threads > driver.profile->registers_per_block)
        threads -= 32;
    return (int)threads;
}

/* Constant memory of the whole module, whether the function uses it or not: so an H200 says. */
static int constant_bytes(const struct ptx_module *module)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < module->variable_count; i++)
        if (module->variables[i]->space == SPACE_CONST)
            bytes += module->variables[i]->bytes;
    return bytes > INT_MAX ? INT_MAX : (int)bytes;
}

CUresult function_get_attribute(const struct function *function, CUfunction_attribute attribute, int *value)
{
    const struct program_function *kernel = function->kernel;
    int version = driver.profile->major * 10 + driver.profile->minor;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = max_threads(kernel); return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)kernel->shared_bytes; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)kernel->local_bytes; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = (int)kernel->register_count; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = kernel->target; return CUDA_SUCCESS; /* CUB chooses block sizes by it */
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = version; return CUDA_SUCCESS; /* as compiled for the device presented */
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        if (function->dynamic_shared_limit > 0)
            *value = (int)function->dynamic_shared_limit;
        else
            *value = kernel->shared_bytes < driver.profile->shared_per_block
                         ? (int)(driver.profile->shared_per_block - kernel->shared_bytes)
                         : 0;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = function->carveout; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = constant_bytes(kernel->program->module); return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: *value = 0; return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult function_set_attribute(struct function *function, CUfunction_attribute attribute, int value)
{
    uint32_t optin = driver.profile->shared_per_block_optin;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        if (value < 0 || function->kernel->shared_bytes > optin || (uint32_t)value > optin - function->kernel->shared_bytes)
            return CUDA_ERROR_INVALID_VALUE;
        function->dynamic_shared_limit = (uint32_t)value;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: /* percent; a hint */
        if (value < -1 || value > 100)
            return CUDA_ERROR_INVALID_VALUE;
        function->carveout = value;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        return CUDA_ERROR_NOT_SUPPORTED;      /* clusters are not emulated */
    default: return CUDA_ERROR_INVALID_VALUE; /* all others can only be read */
    }
}

CUresult function_get_parameter(const struct function *function, size_t index, size_t *offset, size_t *bytes)
{
    if (!offset || index >= function->kernel->parameter_count)
        return CUDA_ERROR_INVALID_VALUE;
    *offset = function->kernel->parameters[index].offset;
    if (bytes)
        *bytes = function->kernel->parameters[index].bytes;
    return CUDA_SUCCESS;
}

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

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction handle)
{
    struct function *function;
    CUresult result = enter(handle, &function);
    if (result == CUDA_SUCCESS && !value)
        result = CUDA_ERROR_INVALID_VALUE;
    return driver_leave(result == CUDA_SUCCESS ? function_get_attribute(function, attribute, value) : result);
}

CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value)
{
    struct function *function;
    CUresult result = enter(handle, &function);
    return driver_leave(result == CUDA_SUCCESS ? function_set_attribute(function, attribute, value) : result);
}

CUresult cuFuncSetCacheConfig(CUfunction handle, CUfunc_cache config)
{
    struct function *function;
    CUresult result = enter(handle, &function);
    if (result == CUDA_SUCCESS && (unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL)
        result = CUDA_ERROR_INVALID_VALUE;
    return driver_leave(result); /* a preference that nothing depends on */
}

CUresult cuFuncSetSharedMemConfig(CUfunction handle, CUsharedconfig config)
{
    struct function *function;
    CUresult result = enter(handle, &function);
    if (result == CUDA_SUCCESS && (unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
        result = CUDA_ERROR_INVALID_VALUE;
    return driver_leave(result);
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction handle)
{
    struct function *function;
    CUresult result = enter(handle, &function);
    if (result == CUDA_SUCCESS && !module)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *module = function->module->handle;
    return driver_leave(result);
}

CUresult cuFuncGetName(const char **name, CUfunction handle)
{
    struct function *function;
    CUresult result = enter(handle, &function);
    if (result == CUDA_SUCCESS && !name)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *name = function->kernel->name;
    return driver_leave(result);
}

CUresult cuFuncGetParamInfo(CUfunction handle, size_t index, size_t *offset, size_t *bytes)
{
    struct function *function;
    CUresult result = enter(handle, &function);
    return driver_leave(result == CUDA_SUCCESS ? function_get_parameter(function, index, offset, bytes) : result);
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction handle)
{
    struct function *function;
    CUresult result = enter(handle, &function);
    if (result == CUDA_SUCCESS && !state)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return driver_leave(result);
}

CUresult cuFuncLoad(CUfunction handle)
{
    struct function *function;
    return driver_leave(enter(handle, &function));
}
