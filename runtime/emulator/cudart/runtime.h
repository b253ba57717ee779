/* What the entry points share: the devices' primary contexts, and the error that cudaGetLastError returns.
 *
 * An entry point that does no more than call the driver reads
 *     cudaError_t cudaFree(void *address)
 *     {
 *         RUNTIME_CALL(cuMemFree_v2((CUdeviceptr)address));
 *     }
 */
#ifndef EMULATOR_CUDART_RUNTIME_H
#define EMULATOR_CUDART_RUNTIME_H

#include "runtime/emulator/cudart/entry_points.h"

/* Initialises the driver on the process's first call and makes the primary context current on the thread's first call,
 * unless the thread has a context. Returns what prevents this. */
CUresult runtime_enter(void);

/* What loads all kernels that the program has registered, where CUDA_MODULE_LOADING=EAGER asks for that: it is called once,
 * as soon as there is a primary context. */
void runtime_set_loader(void (*load_all)(void));

enum { RUNTIME_DEVICES = 8 }; /* at most */

/* The number of the current device. */
int runtime_device(void);

/* Makes a device the thread's current one, with its primary context. Returns INVALID_DEVICE for another number. */
CUresult runtime_set_device(int device);

/* The primary context of a device, which is retained for it; the current one stays. */
CUresult runtime_get_context(int device, CUcontext *context);

/* Retains the primary context of a device and makes it current; after a reset. */
CUresult runtime_retain(int device);

/* Remembers a failure for cudaGetLastError and returns the runtime's code for it. Must follow every runtime_enter. */
cudaError_t runtime_leave(CUresult result);

/* The same for failures that the driver has no code for. */
cudaError_t runtime_fail(cudaError_t error);

/* Returns from the entry point with the result of a driver call, which is made when runtime_enter succeeds. */
#define RUNTIME_CALL(call)                                                  \
    do {                                                                    \
        CUresult entered_ = runtime_enter();                                \
        return runtime_leave(entered_ == CUDA_SUCCESS ? (call) : entered_); \
    } while (0)

#endif
