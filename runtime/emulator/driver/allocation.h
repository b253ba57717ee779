/* How an allocation was made: the driver's own notes in memory_allocation.flags. */
#ifndef EMULATOR_ALLOCATION_H
#define EMULATOR_ALLOCATION_H

#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/machine/memory.h"

enum {
    ALLOCATION_HOST_FLAGS = 0xff,     /* host memory: what the client passed as flags */
    ALLOCATION_DEVICE = 0x100,        /* cuMemAlloc, cuMemAllocPitch, cuMemAllocAsync: must be freed with cuMemFree */
    ALLOCATION_MANAGED = 0x200,       /* cuMemAllocManaged: must be freed with cuMemFree */
    ALLOCATION_PINNED = 0x400,        /* cuMemHostAlloc: must be freed with cuMemFreeHost */
    ALLOCATION_REGISTERED = 0x800,    /* cuMemHostRegister: must be released with cuMemHostUnregister */
    ALLOCATION_POOLED = 0x1000,       /* stream-ordered */
    ALLOCATION_ARRAY = 0x4000,        /* cuArrayCreate and similar: must be destroyed with cuArrayDestroy */
    ALLOCATION_OPENED = 0x8000,       /* cuIpcOpenMemHandle: must be closed with cuIpcCloseMemHandle */
    ALLOCATION_FREE_REFUSED = 0x2000, /* the program tried to free it after a kernel had failed: not a leak */
};

struct context;

/* Allocates device memory for the context. Sets *address; INVALID_VALUE for 0 bytes, OUT_OF_MEMORY. */
CUresult allocation_create_device(const struct context *context, uint64_t bytes, unsigned flags, CUdeviceptr *address);

/* The same for memory of the host, which has its host address on both sides. */
CUresult allocation_create_host(const struct context *context, uint64_t bytes, unsigned flags, CUdeviceptr *address);

/* Notes that the context owns an allocation that was just made, and who asked for it. */
void allocation_enter(const struct context *context, struct memory_allocation *allocation, unsigned flags);

/* driver_leave after a call that may have made one: finds out who asked for it where that cannot be asked with the driver
 * locked. */
CUresult allocation_leave(CUresult result);

enum allocation_free_order { ALLOCATION_FREE_NOW, ALLOCATION_FREE_IN_ORDER /* of the stream whose work it is */ };

/* Frees the live allocation that starts at `address` and has one of the `kinds` (flags); 0 is allowed and does nothing.
 * Reports a finding and returns INVALID_VALUE when there is none, as on a second free. */
CUresult allocation_free(const char *call, uint64_t address, unsigned kinds, enum allocation_free_order order);

/* Notes that the program tried to free the allocation at this address and was refused. */
void allocation_refuse_free(uint64_t address);

/* What a memory pool knows of its allocations: its first member, to which `pool` of an allocation points. */
struct allocation_pool {
    uint64_t used, high, count; /* bytes in live allocations, their maximum since the mark was reset; allocations */
    void (*settle)(struct allocation_pool *pool); /* called before one of them is freed */
    void (*end)(struct allocation_pool *pool);    /* called when the last of them is freed; NULL: the pool stays */
};

/* Frees all allocations that the context owns. */
void allocation_free_all(const struct context *context);

#endif
