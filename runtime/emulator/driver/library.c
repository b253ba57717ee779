/* Entry points: libraries and kernels. A library is a module that belongs to no context: it can be loaded before there
 * is one and used in all, which share its variables. A kernel is a function, so handles of either kind are interchangeable,
 * as NVIDIA's driver allows for kernels. */
#include <stdint.h>

#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/function.h"
#include "runtime/emulator/driver/late.h"

/* The options concern host tables and whether the caller keeps the code: neither matters here. */
static CUresult check_options(const CUlibraryOption *options, unsigned count)
{
    if (count > 0 && !options)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        if ((unsigned)options[i] > CU_LIBRARY_BINARY_IS_PRESERVED)
            return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *options, void **values, unsigned option_count,
                           CUlibraryOption *library_options, void **library_values, unsigned library_option_count)
{
    (void)library_values;
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS)
        result = check_options(library_options, library_option_count);
    if (result == CUDA_SUCCESS)
        result = module_load(NULL, "cuLibraryLoadData", code, SIZE_MAX, option_count, options, values, (CUmodule *)library);
    return driver_leave(result);
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *options, void **values,
                               unsigned option_count, CUlibraryOption *library_options, void **library_values,
                               unsigned library_option_count)
{
    (void)library_values;
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS)
        result = check_options(library_options, library_option_count);
    if (result == CUDA_SUCCESS)
        result = module_load_file(NULL, "cuLibraryLoadFromFile", path, option_count, options, values, (CUmodule *)library);
    return driver_leave(result);
}

/* Enters and finds the library; no context is needed. */
static CUresult enter(CUlibrary handle, struct module **library)
{
    CUresult result = driver_enter_any();
    if (result != CUDA_SUCCESS)
        return result;
    *library = module_find((CUmodule)handle);
    return *library ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuLibraryUnload(CUlibrary handle)
{
    struct module *library;
    CUresult result = enter(handle, &library);
    if (result == CUDA_SUCCESS) {
        late_finish();
        module_destroy(library);
    }
    return driver_leave(result);
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary handle, const char *name)
{
    struct module *library;
    CUresult result = enter(handle, &library);
    if (result == CUDA_SUCCESS && (!kernel || !name))
        result = CUDA_ERROR_INVALID_VALUE;
    const struct function *found = result == CUDA_SUCCESS ? module_get_function(library, name) : NULL;
    if (result == CUDA_SUCCESS && !found)
        result = CUDA_ERROR_NOT_FOUND;
    if (result == CUDA_SUCCESS)
        *kernel = (CUkernel)found->handle;
    return driver_leave(result);
}

CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary handle)
{
    struct module *library;
    CUresult result = enter(handle, &library);
    if (result == CUDA_SUCCESS && !count)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *count = (unsigned)library->function_count;
    return driver_leave(result);
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned count, CUlibrary handle)
{
    struct module *library;
    CUresult result = enter(handle, &library);
    if (result == CUDA_SUCCESS && !kernels)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = module_list_functions(library, (CUfunction *)kernels, count);
    return driver_leave(result);
}

/* Enters and finds the library, in a context: the caller wants its contents in that context. */
static CUresult enter_in_context(CUlibrary handle, struct module **library)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    *library = module_find((CUmodule)handle);
    return *library ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary handle, const char *name)
{
    struct module *library;
    CUresult result = enter_in_context(handle, &library);
    return driver_leave(result == CUDA_SUCCESS ? module_get_variable(library, name, address, bytes) : result);
}

/* A __managed__ variable, whose address is the host's too. */
CUresult cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUlibrary handle, const char *name)
{
    struct module *library;
    CUdeviceptr found = 0;
    CUresult result = enter_in_context(handle, &library);
    if (result == CUDA_SUCCESS)
        result = module_get_variable(library, name, &found, bytes);
    if (result == CUDA_SUCCESS && found >= MEMORY_HOST_END)
        result = CUDA_ERROR_NOT_FOUND; /* a variable that only the device has */
    if (result == CUDA_SUCCESS && address)
        *address = found;
    return driver_leave(result);
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary handle)
{
    struct module *library;
    CUresult result = enter_in_context(handle, &library);
    if (result == CUDA_SUCCESS && !module)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *module = library->handle;
    return driver_leave(result);
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS && !function_find((CUfunction)kernel))
        result = CUDA_ERROR_INVALID_HANDLE;
    else if (result == CUDA_SUCCESS && !function)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *function = (CUfunction)kernel;
    return driver_leave(result);
}

CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel)
{
    return cuFuncGetModule((CUmodule *)library, (CUfunction)kernel);
}

/* Enters and finds the kernel; no context is needed. */
static CUresult enter_kernel(CUkernel handle, CUdevice device, struct function **function)
{
    CUresult result = driver_enter_any();
    if (result != CUDA_SUCCESS)
        return result;
    *function = function_find((CUfunction)handle);
    if (!*function)
        return CUDA_ERROR_INVALID_HANDLE;
    return driver_has_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device)
{
    struct function *function;
    CUresult result = enter_kernel(kernel, device, &function);
    if (result == CUDA_SUCCESS)
        result = value ? function_get_attribute(function, attribute, value) : CUDA_ERROR_INVALID_VALUE;
    return driver_leave(result);
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device)
{
    struct function *function;
    CUresult result = enter_kernel(kernel, device, &function);
    return driver_leave(result == CUDA_SUCCESS ? function_set_attribute(function, attribute, value) : result);
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device)
{
    return driver_has_device(device) ? cuFuncSetCacheConfig((CUfunction)kernel, config) : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuKernelGetName(const char **name, CUkernel kernel)
{
    return cuFuncGetName(name, (CUfunction)kernel);
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *bytes)
{
    return cuFuncGetParamInfo((CUfunction)kernel, index, offset, bytes);
}
