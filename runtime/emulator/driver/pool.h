/* Memory pools. */
#ifndef EMULATOR_POOL_H
#define EMULATOR_POOL_H

#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/machine/memory.h"

/* The handle of the pool that the allocation is from; NULL once it was destroyed. */
CUmemoryPool pool_handle(const struct memory_allocation *allocation);

#endif
