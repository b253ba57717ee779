/* What the entry points share: the device's primary context, and the error that cudaGetLastError returns.
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

/* Retains the primary context and makes it current; after a reset. */
CUresult runtime_retain(void);

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
