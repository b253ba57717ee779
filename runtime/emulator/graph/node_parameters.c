#include "runtime/emulator/graph/node_parameters.h"

#include <string.h>

#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/event.h"
#include "runtime/emulator/driver/kernel_launch.h"
#include "runtime/emulator/driver/range.h"
#include "runtime/emulator/graph/node_range.h"

CUDA_KERNEL_NODE_PARAMS node_parameters_newer(const CUDA_KERNEL_NODE_PARAMS_v1 *older)
{
    CUDA_KERNEL_NODE_PARAMS newer = {0};
    if (older)
        memcpy(&newer, older, sizeof *older);
    return newer;
}

CUresult node_parameters_kernel(const struct context *current, const CUDA_KERNEL_NODE_PARAMS *wanted, struct node_work *work)
{
    if (!wanted)
        return CUDA_ERROR_INVALID_VALUE;
    struct context *context = context_find(!wanted->func && wanted->ctx ? wanted->ctx : current->handle);
    struct kernel_launch call = {
        .function = wanted->func ? wanted->func : (CUfunction)wanted->kern, /* a kernel's handle is its function's */
        .grid = {wanted->gridDimX, wanted->gridDimY, wanted->gridDimZ},
        .block = {wanted->blockDimX, wanted->blockDimY, wanted->blockDimZ},
        .shared_bytes = wanted->sharedMemBytes,
        .parameters = wanted->kernelParams,
        .extra = wanted->extra,
    };
    CUresult result = context ? kernel_launch_check(context, &call) : CUDA_ERROR_INVALID_CONTEXT;
    return result == CUDA_SUCCESS ? node_work_of_kernel(context->handle, &call, work) : result;
}

CUresult node_parameters_copy(CUcontext context, const CUDA_MEMCPY3D *wanted, struct node_work *work)
{
    if (!wanted || wanted->WidthInBytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = node_work_of_copy(context, wanted, work);
    return result == CUDA_SUCCESS ? node_range_check_copy("A memcpy node", wanted) : result;
}

CUresult node_parameters_fill(CUcontext context, const CUDA_MEMSET_NODE_PARAMS *wanted, struct node_work *work)
{
    CUresult result = node_work_of_fill(context, wanted, work);
    uint64_t row_bytes;
    if (result != CUDA_SUCCESS)
        return result;
    if (wanted->dst == 0 || wanted->width == 0 || wanted->height == 0 || wanted->dst % wanted->elementSize != 0
        || __builtin_mul_overflow(wanted->width, wanted->elementSize, &row_bytes)
        || (wanted->height > 1 && range_extent(row_bytes, wanted->height, wanted->pitch) == 0))
        return CUDA_ERROR_INVALID_VALUE;
    return node_range_check_fill("A memset node", wanted);
}

static CUresult event_work(const struct context *current, CUgraphNodeType type, CUevent event, struct node_work *work)
{
    *work = (struct node_work){.type = type, .context = current->handle, .event = event};
    return event_exists(event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUcontext chosen(CUcontext wanted, const struct context *current)
{
    return wanted ? wanted : current->handle;
}

CUresult node_parameters_any(const struct context *current, const CUgraphNodeParams *wanted, struct node_work *work)
{
    if (!node_parameters_are_clean(wanted))
        return CUDA_ERROR_INVALID_VALUE;
    switch (wanted->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return node_parameters_kernel(current, &wanted->kernel, work);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return node_parameters_copy(chosen(wanted->memcpy.copyCtx, current), &wanted->memcpy.copyParams, work);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return node_parameters_fill(chosen(wanted->memset.ctx, current), &wanted->memset.fill, work);
    case CU_GRAPH_NODE_TYPE_HOST: return node_work_of_host(current->handle, &wanted->host, work);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: return event_work(current, wanted->type, wanted->event, work);
    case CU_GRAPH_NODE_TYPE_EMPTY: *work = (struct node_work){.type = CU_GRAPH_NODE_TYPE_EMPTY}; return CUDA_SUCCESS;
    default: return CUDA_ERROR_NOT_SUPPORTED;
    }
}

CUDA_KERNEL_NODE_PARAMS node_parameters_of_kernel(const struct node_work *work)
{
    const struct kernel_launch *call = &work->kernel.call;
    return (CUDA_KERNEL_NODE_PARAMS){
        .func = call->function,
        .gridDimX = call->grid[0],
        .gridDimY = call->grid[1],
        .gridDimZ = call->grid[2],
        .blockDimX = call->block[0],
        .blockDimY = call->block[1],
        .blockDimZ = call->block[2],
        .sharedMemBytes = call->shared_bytes,
        .kernelParams = work->kernel.pointers,
    };
}

/* How much of the union a kind uses; the rest must be zero. */
static size_t used_bytes(CUgraphNodeType type)
{
    static const CUgraphNodeParams *const none;
    switch (type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return sizeof none->kernel;
    case CU_GRAPH_NODE_TYPE_MEMCPY: return sizeof none->memcpy;
    case CU_GRAPH_NODE_TYPE_MEMSET: return sizeof none->memset;
    case CU_GRAPH_NODE_TYPE_HOST: return sizeof none->host;
    case CU_GRAPH_NODE_TYPE_GRAPH: return sizeof none->graph;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: return sizeof none->event;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: return sizeof none->alloc;
    case CU_GRAPH_NODE_TYPE_MEM_FREE: return sizeof none->free;
    case CU_GRAPH_NODE_TYPE_EMPTY: return 0;
    default: return sizeof none->reserved1;
    }
}

bool node_parameters_are_clean(const CUgraphNodeParams *wanted)
{
    if (!wanted || wanted->reserved2 != 0)
        return false;
    for (int i = 0; i < 3; i++)
        if (wanted->reserved0[i] != 0)
            return false;
    const unsigned char *bytes = (const unsigned char *)wanted->reserved1;
    for (size_t i = used_bytes(wanted->type); i < sizeof wanted->reserved1; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}
