/* Work for a stream as data: what an entry point would do at once, and what a captured stream turns into a node. */
#ifndef EMULATOR_STREAM_WORK_H
#define EMULATOR_STREAM_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/cuda/driver_api.h"

struct kernel_launch {
    CUfunction function;
    uint32_t grid[3], block[3];
    uint32_t shared_bytes;
    CUstream stream;
    void **parameters, **extra; /* as cuLaunchKernel takes them: one of the two, or neither */
    bool cooperative;
    uint32_t cluster[3]; /* blocks of a cluster; 0: the launch does not say */
};

struct context;
struct stream_work;

/* How work of a kind is done later than its call (late.h). */
struct work_manner {
    /* Says what the call must say, and copies what the call takes back.
     *   memory    out: malloc'd, owned by the caller; NULL: none is needed
     *   at_once   out: it must be done now, and the caller does it */
    CUresult (*prepare)(struct context *context, struct stream_work *work, void **memory, bool *at_once);
    /* Does it, in the context, which is usable. */
    void (*run)(struct context *context, const struct stream_work *work, void *memory);
    /* May it wait for the host? NULL: never. */
    bool (*may_wait)(const struct context *context, const struct stream_work *work);
    bool is_free; /* it frees memory: not a thing to wait for */
    bool is_mark; /* it does nothing but be reached */
    bool enters;  /* prepare has recorded what it reads and writes (unordered.h) */
};

struct stream_work {
    const struct work_manner *manner; /* NULL: it is always done at once */
    const char *call;                 /* name of the entry point of a copy and a fill, for findings */
    CUgraphNodeType type;             /* says which of the union counts; a child graph, an empty node: none */
    union {
        struct kernel_launch kernel; /* its parameters are the program's */
        CUDA_MEMCPY3D copy;          /* of any kind, also of one row */
        CUDA_MEMSET_NODE_PARAMS fill;
        CUDA_HOST_NODE_PARAMS host;
        CUevent event;
        struct {
            CUdeviceptr address; /* of an allocation: out */
            size_t bytes;        /* of an allocation */
        } memory;
    };
    size_t host_bytes; /* of a host function's data that the call takes back; 0: the data is the program's */
};

#endif
