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

struct stream_work {
    const char *call;     /* name of the entry point of a copy, a fill and a free, for findings */
    CUgraphNodeType type; /* says which of the union counts; a child graph, an empty node: none */
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
    size_t host_bytes; /* of a host function: its data, which the call takes back; 0: the data is the program's */
};

#endif
