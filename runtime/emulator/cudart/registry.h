/* What a program registers before main: its fat binaries, and for each kernel and variable the host address that names it.
 *
 * nvcc writes a function that runs at start: __cudaRegisterFatBinary, then for each kernel __cudaRegisterFunction and for
 * each variable __cudaRegisterVar (crt/host_runtime.h of the toolkit has the prototypes). The program later names a kernel
 * by the address of its host stub and a variable by that of its host shadow. A binary is loaded when something in it is
 * used, since most programs register more than they use; with CUDA_MODULE_LOADING=EAGER all are loaded at the beginning.
 */
#ifndef EMULATOR_CUDART_REGISTRY_H
#define EMULATOR_CUDART_REGISTRY_H

#include "runtime/emulator/cudart/types.h"

/* The kernel that a host address names, or that __cudaGetKernel returned, of which the binary is loaded if needed; or one
 * of a library that the program has loaded (cudaLibraryGetKernel).
 * Returns INVALID_DEVICE_FUNCTION (INVALID_RESOURCE_HANDLE since CUDA 13) when there is none, or why the binary cannot
 * be loaded. The context must be current. */
cudaError_t registry_get_kernel(const void *host, CUfunction *function);

/* The host address that names a kernel which has been used; NULL when there is none. */
const void *registry_find_host(CUfunction function);

/* The variable that a host address names. Returns INVALID_SYMBOL when there is none. */
cudaError_t registry_get_variable(const void *host, CUdeviceptr *address, size_t *bytes);

/* Forgets what was loaded: the context is new. */
void registry_forget_loaded(int device);

#endif
