/* Large copies between pageable host memory and a GPU at the rate of pinned memory. Internal to the runtime.
 *
 * A driver copies pageable memory with one thread, through pinned memory of its own: a fifth of what the bus can do. Here
 * several threads do, each with two pinned pieces: while one piece travels, the thread fills or empties the other.
 */
#ifndef RUNTIME_TRANSFER_H
#define RUNTIME_TRANSFER_H

#include "runtime/library/handles.h"

struct transfer;

/* Copy `bytes` between host memory and device memory, the fastest way there is; return when they are done. Work that was
 * launched before is waited for. */
CUresult transfer_to_device(lockstep_device *device, CUdeviceptr target, const void *source, size_t bytes);
CUresult transfer_from_device(lockstep_device *device, void *target, CUdeviceptr source, size_t bytes);

/* The same by several threads, whatever the size and the device. CUDA_ERROR_OUT_OF_MEMORY: no pinned memory; nothing was
 * copied. */
CUresult transfer_upload(lockstep_device *device, CUdeviceptr target, const void *source, size_t bytes);
CUresult transfer_download(lockstep_device *device, void *target, CUdeviceptr source, size_t bytes);

/* Frees what the device's transfers hold. */
void transfer_destroy(lockstep_device *device);

#endif
