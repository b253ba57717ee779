/* Entry points: libraries and kernels. A library is a module that was loaded into the current context at once, a kernel is a
 * function, so each pair of handles can stand for the other, as NVIDIA's driver allows for kernels. */
#include <stdint.h>

#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/function.h"

/* The options concern host tables and whether the caller keeps the code: nothing is kept here. */
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
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS)
        result = check_options(library_options, library_option_count);
    if (result == CUDA_SUCCESS)
        result = module_load(context, "cuLibraryLoadData", code, SIZE_MAX, option_count, options, values,
                             (CUmodule *)library);
    return driver_leave(result);
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *options, void **values,
                               unsigned option_count, CUlibraryOption *library_options, void **library_values,
                               unsigned library_option_count)
{
    (void)library_values;
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS)
        result = check_options(library_options, library_option_count);
    if (result == CUDA_SUCCESS)
        result = module_load_file(context, "cuLibraryLoadFromFile", path, option_count, options, values,
                                  (CUmodule *)library);
    return driver_leave(result);
}

CUresult cuLibraryUnload(CUlibrary library)
{
    return cuModuleUnload((CUmodule)library);
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    return cuModuleGetFunction((CUfunction *)kernel, (CUmodule)library, name);
}

CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary library)
{
    return cuModuleGetFunctionCount(count, (CUmodule)library);
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned count, CUlibrary library)
{
    return cuModuleEnumerateFunctions((CUfunction *)kernels, count, (CUmodule)library);
}

CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name)
{
    return cuModuleGetGlobal_v2(address, bytes, (CUmodule)library, name);
}

/* A __managed__ variable, whose address is the host's too. */
CUresult cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name)
{
    struct context *context;
    CUdeviceptr found = 0;
    CUresult result = driver_enter(&context);
    const struct module *module = result == CUDA_SUCCESS ? module_find((CUmodule)library, context) : NULL;
    if (result == CUDA_SUCCESS)
        result = module ? module_get_variable(module, name, &found, bytes) : CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS && found >= MEMORY_HOST_END)
        result = CUDA_ERROR_NOT_FOUND;   /* a variable of the device alone */
    if (result == CUDA_SUCCESS && address)
        *address = found;
    return driver_leave(result);
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result == CUDA_SUCCESS && !module_find((CUmodule)library, context))
        result = CUDA_ERROR_INVALID_HANDLE;
    else if (result == CUDA_SUCCESS && !module)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *module = (CUmodule)library;
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

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device)
{
    return driver_has_device(device) ? cuFuncGetAttribute(value, attribute, (CUfunction)kernel) : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device)
{
    return driver_has_device(device) ? cuFuncSetAttribute((CUfunction)kernel, attribute, value) : CUDA_ERROR_INVALID_DEVICE;
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
