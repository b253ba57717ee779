#include "runtime/emulator/graph/node_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/driver/call_log.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/copy.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/event.h"
#include "runtime/emulator/driver/kernel_launch.h"
#include "runtime/emulator/driver/module.h"
#include "runtime/emulator/driver/order.h"
#include "runtime/emulator/driver/set.h"
#include "runtime/emulator/driver/unordered.h"
#include "runtime/emulator/findings/finding.h"
#include "runtime/emulator/graph/graph_memory.h"

const char *node_type_name(CUgraphNodeType type)
{
    static const char *const names[] = {"kernel",
                                        "memcpy",
                                        "memset",
                                        "host",
                                        "child graph",
                                        "empty",
                                        "event wait",
                                        "event record",
                                        "external semaphore signal",
                                        "external semaphore wait",
                                        "mem alloc",
                                        "mem free",
                                        "batch mem op",
                                        "conditional"};
    return (size_t)type < sizeof names / sizeof *names ? names[type] : "unknown";
}

/* The addresses of the parameters in their block. */
static bool point_into_block(struct node_kernel *kernel, const struct program_function *function)
{
    kernel->pointers = NULL;
    if (function->parameter_count == 0)
        return true;
    kernel->pointers = malloc(function->parameter_count * sizeof *kernel->pointers);
    for (uint32_t i = 0; kernel->pointers && i < function->parameter_count; i++)
        kernel->pointers[i] = kernel->block + function->parameters[i].offset;
    return kernel->pointers != NULL;
}

CUresult node_work_of_kernel(CUcontext context_handle, const struct kernel_launch *call, struct node_work *work)
{
    const struct function *function;
    const struct context *context = context_find(context_handle);
    uint8_t *block;
    if (!context)
        return CUDA_ERROR_INVALID_CONTEXT;
    CUresult result = kernel_launch_gather(context, call, &function, &block);
    if (result != CUDA_SUCCESS)
        return result;
    *work = (struct node_work){.type = CU_GRAPH_NODE_TYPE_KERNEL, .context = context_handle};
    work->kernel.call = *call;
    work->kernel.call.parameters = work->kernel.call.extra = NULL;
    work->kernel.block = block;
    work->kernel.block_bytes = function->kernel->parameter_bytes;
    if (!point_into_block(&work->kernel, function->kernel)) {
        node_work_clear(work);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return CUDA_SUCCESS;
}

static bool is_memory_type(CUmemorytype type)
{
    return type >= CU_MEMORYTYPE_HOST && type <= CU_MEMORYTYPE_UNIFIED;
}

CUresult node_work_of_copy(CUcontext context, const CUDA_MEMCPY3D *copy, struct node_work *work)
{
    if (!copy || !is_memory_type(copy->srcMemoryType) || !is_memory_type(copy->dstMemoryType))
        return CUDA_ERROR_INVALID_VALUE;
    *work = (struct node_work){.type = CU_GRAPH_NODE_TYPE_MEMCPY, .context = context, .copy = *copy};
    return CUDA_SUCCESS;
}

CUresult node_work_of_fill(CUcontext context, const CUDA_MEMSET_NODE_PARAMS *fill, struct node_work *work)
{
    if (!fill || (fill->elementSize != 1 && fill->elementSize != 2 && fill->elementSize != 4))
        return CUDA_ERROR_INVALID_VALUE;
    *work = (struct node_work){.type = CU_GRAPH_NODE_TYPE_MEMSET, .context = context, .fill = *fill};
    return CUDA_SUCCESS;
}

CUresult node_work_of_host(CUcontext context, const CUDA_HOST_NODE_PARAMS *host, struct node_work *work)
{
    if (!host || !host->fn)
        return CUDA_ERROR_INVALID_VALUE;
    *work = (struct node_work){.type = CU_GRAPH_NODE_TYPE_HOST, .context = context, .host = *host};
    return CUDA_SUCCESS;
}

void node_work_clear(struct node_work *work)
{
    if (work->type == CU_GRAPH_NODE_TYPE_KERNEL) {
        free(work->kernel.block);
        free(work->kernel.pointers);
        free(work->kernel.attributes);
    } else if (work->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) {
        graph_memory_release(work->allocation.dptr);
    }
    *work = (struct node_work){.type = CU_GRAPH_NODE_TYPE_EMPTY};
}

static void *duplicate(const void *data, size_t bytes)
{
    void *copy = malloc(bytes > 0 ? bytes : 1);
    if (copy && bytes > 0)
        memcpy(copy, data, bytes);
    return copy;
}

bool node_work_copy(struct node_work *copy, const struct node_work *work)
{
    *copy = *work;
    if (work->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        graph_memory_retain(work->allocation.dptr);
    if (work->type != CU_GRAPH_NODE_TYPE_KERNEL)
        return true;
    const struct function *function = function_find(work->kernel.call.function);
    struct node_kernel *kernel = &copy->kernel;
    kernel->pointers = NULL;
    kernel->attributes = NULL;
    kernel->block = duplicate(work->kernel.block, work->kernel.block_bytes);
    bool complete = kernel->block && (!function || point_into_block(kernel, function->kernel));
    if (complete && work->kernel.attributes) {
        kernel->attributes = duplicate(work->kernel.attributes, NODE_ATTRIBUTE_COUNT * sizeof *kernel->attributes);
        complete = kernel->attributes != NULL;
    }
    if (!complete)
        node_work_clear(copy);
    return complete;
}

bool node_work_make_attributes(struct node_kernel *kernel)
{
    if (!kernel->attributes)
        kernel->attributes = calloc(NODE_ATTRIBUTE_COUNT, sizeof *kernel->attributes);
    return kernel->attributes != NULL;
}

static CUresult launch(struct context *context, const struct node_kernel *kernel, size_t number)
{
    char sentence[96];
    snprintf(sentence, sizeof sentence, "This launch is node %zu of a graph (cuGraphLaunch).", number);
    finding_set_origin(sentence);
    CUresult result = kernel_launch_run_block(context, &kernel->call, kernel->block);
    finding_set_origin(NULL);
    return result;
}

/* Launches and copies: the record of calls has them, and may make them fail. */
static CUresult run_recorded(struct context *context, const struct node_work *work, size_t number, const char *call,
                             const struct graph_branch *branch)
{
    bool is_kernel = work->type == CU_GRAPH_NODE_TYPE_KERNEL;
    CUresult result = call_log_begin_part(is_kernel ? CALL_launch : CALL_copy, branch);
    if (result == CUDA_SUCCESS)
        result = is_kernel ? launch(context, &work->kernel, number) : copy_box_run(call, &work->copy);
    call_log_end_part(result);
    return result;
}

CUresult node_work_run(const struct node_work *work, size_t number, const struct graph_branch *branch)
{
    char call[64];
    struct context *context = context_find(work->context);
    if (work->type == CU_GRAPH_NODE_TYPE_EMPTY)
        return CUDA_SUCCESS;
    if (!context || !context->active)
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (context->failure)
        return context->failure;
    snprintf(call, sizeof call, "cuGraphLaunch (%s node %zu)", node_type_name(work->type), number);
    switch (work->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
    case CU_GRAPH_NODE_TYPE_MEMCPY: return run_recorded(context, work, number, call, branch);
    case CU_GRAPH_NODE_TYPE_MEMSET: return set_run(call, &work->fill);
    case CU_GRAPH_NODE_TYPE_HOST:
        order_host_now(); /* as in stream.c */
        unordered_settle();
        driver_call_back(work->host.fn, work->host.userData);
        return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        return event_record(work->event, context) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        event_wait(work->event);
        return event_exists(work->event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: return graph_memory_allocate(work->allocation.dptr, context);
    case CU_GRAPH_NODE_TYPE_MEM_FREE: return graph_memory_free(call, work->freed);
    default: return CUDA_ERROR_NOT_SUPPORTED;
    }
}
