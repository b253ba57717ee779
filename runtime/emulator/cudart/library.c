/* Entry points: code that the program loads itself, and its kernels. A cudaLibrary_t is the driver's library and a
 * cudaKernel_t its kernel; the options have the driver's numbers. */
#include "runtime/emulator/cudart/runtime.h"

cudaError_t cudaLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *options, void **values,
                                unsigned option_count, CUlibraryOption *library_options, void **library_values,
                                unsigned library_option_count)
{
    RUNTIME_CALL(cuLibraryLoadData(library, code, options, values, option_count, library_options, library_values,
                                   library_option_count));
}

cudaError_t cudaLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *options, void **values,
                                    unsigned option_count, CUlibraryOption *library_options, void **library_values,
                                    unsigned library_option_count)
{
    RUNTIME_CALL(cuLibraryLoadFromFile(library, path, options, values, option_count, library_options, library_values,
                                       library_option_count));
}

cudaError_t cudaLibraryUnload(CUlibrary library)
{
    RUNTIME_CALL(cuLibraryUnload(library));
}

cudaError_t cudaLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    RUNTIME_CALL(cuLibraryGetKernel(kernel, library, name));
}

cudaError_t cudaLibraryGetKernelCount(unsigned *count, CUlibrary library)
{
    RUNTIME_CALL(cuLibraryGetKernelCount(count, library));
}

cudaError_t cudaLibraryEnumerateKernels(CUkernel *kernels, unsigned count, CUlibrary library)
{
    RUNTIME_CALL(cuLibraryEnumerateKernels(kernels, count, library));
}

cudaError_t cudaLibraryGetGlobal(void **address, size_t *bytes, CUlibrary library, const char *name)
{
    RUNTIME_CALL(cuLibraryGetGlobal((CUdeviceptr *)address, bytes, library, name));
}

cudaError_t cudaLibraryGetManaged(void **address, size_t *bytes, CUlibrary library, const char *name)
{
    RUNTIME_CALL(cuLibraryGetManaged((CUdeviceptr *)address, bytes, library, name));
}

cudaError_t cudaKernelSetAttributeForDevice(CUkernel kernel, int attribute, int value, int device)
{
    RUNTIME_CALL(cuKernelSetAttribute((CUfunction_attribute)attribute, value, kernel, device));
}
