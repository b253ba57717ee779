/* Large copies between pageable host memory and a GPU at the speed of pinned memory. Internal to the runtime.
 *
 * A driver copies pageable memory with one thread through its own pinned memory: a fifth of the bus's rate. Here several
 * threads copy, each with two pinned pieces: while one piece travels, the thread fills or empties the other.
 */
#ifndef RUNTIME_TRANSFER_H
#define RUNTIME_TRANSFER_H

#include "runtime/library/handles.h"

struct transfer;

/* Copy `bytes` between host and device memory in the fastest way available; return when done. Wait for work that was
 * launched before. */
CUresult transfer_to_device(lockstep_device *device, CUdeviceptr target, const void *source, size_t bytes);
CUresult transfer_from_device(lockstep_device *device, void *target, CUdeviceptr source, size_t bytes);

/* The same, always with several threads, whatever the size and the device. CUDA_ERROR_OUT_OF_MEMORY: no pinned memory;
 * nothing was copied. */
CUresult transfer_upload(lockstep_device *device, CUdeviceptr target, const void *source, size_t bytes);
CUresult transfer_download(lockstep_device *device, void *target, CUdeviceptr source, size_t bytes);

/* Frees what the device's transfers own. */
void transfer_destroy(lockstep_device *device);

#endif
