/* Entry points: modules. */
#include <stdint.h>

#include "runtime/emulator/driver/capture_port.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/late.h"
#include "runtime/emulator/driver/module.h"

CUresult cuModuleLoad(CUmodule *handle, const char *path)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS)
        result = module_load_file(context, "cuModuleLoad", path, 0, NULL, NULL, handle);
    return driver_leave(result);
}

CUresult cuModuleLoadData(CUmodule *handle, const void *image)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS)
        result = module_load(context, "cuModuleLoadData", image, SIZE_MAX, 0, NULL, NULL, handle);
    return driver_leave(result);
}

CUresult cuModuleLoadDataEx(CUmodule *handle, const void *image, unsigned option_count, CUjit_option *options, void **values)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS)
        result = module_load(context, "cuModuleLoadDataEx", image, SIZE_MAX, option_count, options, values, handle);
    return driver_leave(result);
}

CUresult cuModuleLoadFatBinary(CUmodule *handle, const void *image)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS)
        result = module_load(context, "cuModuleLoadFatBinary", image, SIZE_MAX, 0, NULL, NULL, handle);
    return driver_leave(result);
}

/* Enters and finds the module. */
static CUresult enter(CUmodule handle, struct module **module)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    *module = module_find(handle);
    return *module ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuModuleUnload(CUmodule handle)
{
    struct module *module;
    CUresult result = enter(handle, &module);
    if (result == CUDA_SUCCESS)
        result = capture_allow(CAPTURE_CALL_UNSAFE, NULL);
    if (result == CUDA_SUCCESS) {
        late_finish();
        module_destroy(module);
    }
    return driver_leave(result);
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS && !mode)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *mode = CU_MODULE_EAGER_LOADING;
    return driver_leave(result);
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule handle, const char *name)
{
    struct module *module;
    CUresult result = enter(handle, &module);
    if (result == CUDA_SUCCESS && (!function || !name || name[0] == '\0'))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    const struct function *found = module_get_function(module, name);
    if (found)
        *function = found->handle;
    return driver_leave(found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND);
}

CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule handle)
{
    struct module *module;
    CUresult result = enter(handle, &module);
    if (result == CUDA_SUCCESS && !count)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *count = (unsigned)module->function_count;
    return driver_leave(result);
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned count, CUmodule handle)
{
    struct module *module;
    CUresult result = enter(handle, &module);
    if (result == CUDA_SUCCESS && !functions)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = module_list_functions(module, functions, count);
    return driver_leave(result);
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule handle, const char *name)
{
    struct module *module;
    CUresult result = enter(handle, &module);
    return driver_leave(result == CUDA_SUCCESS ? module_get_variable(module, name, address, bytes) : result);
}
