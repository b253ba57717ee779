/* Memory that nodes allocate. Its address is fixed when the node is made, before there is memory behind it, and stays the
 * same in every launch. All functions expect the driver's lock to be held. */
#ifndef EMULATOR_GRAPH_MEMORY_H
#define EMULATOR_GRAPH_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/cuda/driver_api.h"

struct context;

/* Reserves an address for `bytes` (> 0), with one user. OUT_OF_MEMORY. */
CUresult graph_memory_reserve(size_t bytes, CUdeviceptr *address);

/* Another node, a copy of the first, has the address; one has it no longer. Memory that is allocated then stays until the
 * program frees it. */
void graph_memory_retain(CUdeviceptr address);
void graph_memory_release(CUdeviceptr address);

/* Is it the address of a node's allocation; and is there memory behind it now? */
bool graph_memory_exists(CUdeviceptr address);
bool graph_memory_is_allocated(CUdeviceptr address);

/* Puts memory behind the address, as poison; INVALID_VALUE when there is some, OUT_OF_MEMORY. Frees it, like cuMemFree. */
CUresult graph_memory_allocate(CUdeviceptr address, const struct context *context);
CUresult graph_memory_free(const char *call, CUdeviceptr address);

#endif
