/* What one node does: the data of its work, owned by the node, and doing it. All functions expect the driver's lock to be
 * held. */
#ifndef EMULATOR_NODE_WORK_H
#define EMULATOR_NODE_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/driver/stream_work.h"

/* Attributes of kernel nodes by number, up to the last one that is known. */
enum { NODE_ATTRIBUTE_COUNT = CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING + 1 };

struct node_kernel {
    struct kernel_launch call; /* its parameters and extra are NULL */
    uint8_t *block;            /* the parameters as the kernel reads them, copied when the node was made */
    size_t block_bytes;
    void **pointers; /* into the block, as kernelParams: for those who ask; NULL for a kernel without parameters */
    CUlaunchAttributeValue *attributes; /* [NODE_ATTRIBUTE_COUNT]; NULL: all zero */
};

struct node_work {
    CUgraphNodeType type;
    CUcontext context; /* in which it is done */
    union {
        struct node_kernel kernel;
        CUDA_MEMCPY3D copy;
        CUDA_MEMSET_NODE_PARAMS fill;
        CUDA_HOST_NODE_PARAMS host;
        CUevent event;
        CUDA_MEM_ALLOC_NODE_PARAMS allocation;
        CUdeviceptr freed;
    };
};

/* Makes the work of a kernel: checks the call as a launch is checked that cannot start, copies the parameters.
 * Returns INVALID_VALUE with a finding, INVALID_HANDLE, OUT_OF_MEMORY. */
CUresult node_work_of_kernel(CUcontext context, const struct kernel_launch *call, struct node_work *work);

/* What a copy, a fill and a host function must be to become nodes. Ranges are checked when the work is done. */
CUresult node_work_of_copy(CUcontext context, const CUDA_MEMCPY3D *copy, struct node_work *work);
CUresult node_work_of_fill(CUcontext context, const CUDA_MEMSET_NODE_PARAMS *fill, struct node_work *work);
CUresult node_work_of_host(CUcontext context, const CUDA_HOST_NODE_PARAMS *host, struct node_work *work);

/* A copy with memory of its own. False when out of memory; the copy is then empty. */
bool node_work_copy(struct node_work *copy, const struct node_work *work);

/* Frees what it owns; it is an empty node's then. */
void node_work_clear(struct node_work *work);

/* Makes room for the attributes of a kernel, all zero, if there is none. False when out of memory. */
bool node_work_make_attributes(struct node_kernel *kernel);

/* Does the work now, through what performs launches, copies and fills for the stream calls.
 *   number   of the node in its graph, for findings, from 0
 *   branch   its place among the nodes of this launch, for the record of calls; NULL: not recorded */
struct graph_branch;
CUresult node_work_run(const struct node_work *work, size_t number, const struct graph_branch *branch);

/* "kernel", "memcpy" …: the kind of a node, as messages name it. */
const char *node_type_name(CUgraphNodeType type);

#endif
