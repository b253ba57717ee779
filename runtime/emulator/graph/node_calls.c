/* Entry points: adding nodes of each kind, and their parameters. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/event.h"
#include "runtime/emulator/graph/capture.h"
#include "runtime/emulator/graph/graph.h"
#include "runtime/emulator/graph/graph_memory.h"
#include "runtime/emulator/graph/node_parameters.h"

/* Where a new node goes. */
struct place {
    CUgraphNode *handle; /* out */
    CUgraph graph;
    const CUgraphNode *before; /* [count] */
    const CUgraphEdgeData *data;
    size_t count;
};

/* Enters, and finds the graph and the current context, in which the node will run unless it says otherwise. */
static CUresult enter(const struct place *place, struct graph **graph, struct context **context)
{
    CUresult result = driver_enter(context);
    if (result != CUDA_SUCCESS)
        return result;
    *graph = graph_find(place->graph);
    return *graph && place->handle && (place->before || place->count == 0) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult add(const struct place *place, struct graph *graph, struct node_work *work, struct graph *child)
{
    struct graph_node *node;
    CUresult result = graph_add(graph, place->before, place->data, place->count, work, child, &node);
    if (result == CUDA_SUCCESS)
        *place->handle = node->handle;
    return result;
}

static CUresult add_simple(const struct place *place, struct graph *graph, struct node_work work)
{
    return add(place, graph, &work, NULL);
}

/* ---- the kinds ---- */

static CUresult add_kernel(const struct place *place, const CUDA_KERNEL_NODE_PARAMS *wanted)
{
    struct graph *graph;
    struct context *context;
    struct node_work work;
    CUresult result = enter(place, &graph, &context);
    if (result == CUDA_SUCCESS)
        result = node_parameters_kernel(context, wanted, &work);
    if (result == CUDA_SUCCESS)
        result = add(place, graph, &work, NULL);
    return driver_leave(result);
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                 const CUDA_KERNEL_NODE_PARAMS *wanted)
{
    struct place place = {node, graph, dependencies, NULL, count};
    return add_kernel(&place, wanted);
}

CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS_v1 *wanted)
{
    CUDA_KERNEL_NODE_PARAMS newer = node_parameters_newer(wanted);
    return cuGraphAddKernelNode_v2(node, graph, dependencies, count, wanted ? &newer : NULL);
}

/* The context that a node was given, or the current one; NULL when it does not exist. */
static CUcontext choose_context(CUcontext wanted, const struct context *current)
{
    if (!wanted)
        return current->handle;
    const struct context *context = context_find(wanted);
    return context ? context->handle : NULL;
}

static CUresult add_copy(const struct place *place, const CUDA_MEMCPY3D *wanted, CUcontext in)
{
    struct graph *graph;
    struct context *context;
    struct node_work work;
    CUresult result = enter(place, &graph, &context);
    CUcontext chosen = result == CUDA_SUCCESS ? choose_context(in, context) : NULL;
    if (result == CUDA_SUCCESS)
        result = chosen ? node_parameters_copy(chosen, wanted, &work) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = add(place, graph, &work, NULL);
    return driver_leave(result);
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                              const CUDA_MEMCPY3D *wanted, CUcontext context)
{
    struct place place = {node, graph, dependencies, NULL, count};
    return add_copy(&place, wanted, context);
}

static CUresult add_fill(const struct place *place, const CUDA_MEMSET_NODE_PARAMS *wanted, CUcontext in)
{
    struct graph *graph;
    struct context *context;
    struct node_work work;
    CUresult result = enter(place, &graph, &context);
    CUcontext chosen = result == CUDA_SUCCESS ? choose_context(in, context) : NULL;
    if (result == CUDA_SUCCESS)
        result = chosen ? node_parameters_fill(chosen, wanted, &work) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = add(place, graph, &work, NULL);
    return driver_leave(result);
}

CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS *wanted, CUcontext context)
{
    struct place place = {node, graph, dependencies, NULL, count};
    return add_fill(&place, wanted, context);
}

static CUresult add_host(const struct place *place, const CUDA_HOST_NODE_PARAMS *wanted)
{
    struct graph *graph;
    struct context *context;
    struct node_work work;
    CUresult result = enter(place, &graph, &context);
    if (result == CUDA_SUCCESS)
        result = node_work_of_host(context->handle, wanted, &work);
    if (result == CUDA_SUCCESS)
        result = add(place, graph, &work, NULL);
    return driver_leave(result);
}

CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                            const CUDA_HOST_NODE_PARAMS *wanted)
{
    struct place place = {node, graph, dependencies, NULL, count};
    return add_host(&place, wanted);
}

static CUresult add_empty(const struct place *place)
{
    struct graph *graph;
    struct context *context;
    CUresult result = enter(place, &graph, &context);
    if (result == CUDA_SUCCESS)
        result = add_simple(place, graph, (struct node_work){.type = CU_GRAPH_NODE_TYPE_EMPTY});
    return driver_leave(result);
}

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count)
{
    struct place place = {node, graph, dependencies, NULL, count};
    return add_empty(&place);
}

static CUresult add_event(const struct place *place, CUgraphNodeType type, CUevent event)
{
    struct graph *graph;
    struct context *context;
    CUresult result = enter(place, &graph, &context);
    if (result == CUDA_SUCCESS && !event_exists(event))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = add_simple(place, graph, (struct node_work){.type = type, .context = context->handle, .event = event});
    return driver_leave(result);
}

CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                   CUevent event)
{
    struct place place = {node, graph, dependencies, NULL, count};
    return add_event(&place, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event);
}

CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                 CUevent event)
{
    struct place place = {node, graph, dependencies, NULL, count};
    return add_event(&place, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event);
}

/* Is the graph, or does it contain, the other? */
static bool contains(const struct graph *graph, const struct graph *other)
{
    for (; other; other = other->owner ? other->owner->graph : NULL)
        if (other == graph)
            return true;
    return false;
}

/* A child graph is copied, or moved into the node. One that allocates can only be moved: its addresses are its own. */
static CUresult add_child(const struct place *place, CUgraph child_handle, int ownership)
{
    struct graph *graph, *copy;
    struct context *context;
    bool moved = ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
    CUresult result = enter(place, &graph, &context);
    struct graph *child = result == CUDA_SUCCESS ? graph_find(child_handle) : NULL;
    struct node_work work = {.type = CU_GRAPH_NODE_TYPE_GRAPH};
    if (result == CUDA_SUCCESS && (!child || ownership < 0 || ownership > CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && moved && (child->owner || contains(child, graph) || capture_uses(child)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && !moved && graph_has_memory(child))
        result = CUDA_ERROR_NOT_SUPPORTED;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    work.context = context->handle;
    result = moved ? CUDA_SUCCESS : graph_clone(child, &copy);
    if (result == CUDA_SUCCESS)
        result = add(place, graph, &work, moved ? NULL : copy); /* which a failure destroys */
    if (result == CUDA_SUCCESS && moved) {
        child->owner = graph_find_node(*place->handle);
        child->owner->child = child;
        child->is_moved = true;
    }
    return driver_leave(result);
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                  CUgraph child)
{
    struct place place = {node, graph, dependencies, NULL, count};
    return add_child(&place, child, 0);
}

static CUresult make_allocation(CUDA_MEM_ALLOC_NODE_PARAMS *wanted)
{
    if (!wanted || wanted->poolProps.allocType != 1 || wanted->bytesize == 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (wanted->poolProps.location.type != 1 || wanted->poolProps.handleTypes != 0)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (!driver_has_device(wanted->poolProps.location.id))
        return CUDA_ERROR_INVALID_VALUE;
    return graph_memory_reserve(wanted->bytesize, &wanted->dptr);
}

static CUresult add_allocation(const struct place *place, CUDA_MEM_ALLOC_NODE_PARAMS *wanted)
{
    struct graph *graph;
    struct context *context;
    CUresult result = enter(place, &graph, &context);
    if (result == CUDA_SUCCESS && graph->is_moved)
        result = CUDA_ERROR_NOT_SUPPORTED;
    if (result == CUDA_SUCCESS)
        result = make_allocation(wanted);
    if (result == CUDA_SUCCESS) {
        struct node_work work = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC, .context = context->handle, .allocation = *wanted};
        work.allocation.accessDescs = NULL; /* the one device may always access its memory */
        work.allocation.accessDescCount = 0;
        result = add(place, graph, &work, NULL);
    }
    return driver_leave(result);
}

CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                CUDA_MEM_ALLOC_NODE_PARAMS *wanted)
{
    struct place place = {node, graph, dependencies, NULL, count};
    return add_allocation(&place, wanted);
}

static bool is_freed_by(const struct graph *graph, CUdeviceptr address)
{
    for (size_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i]->work.type == CU_GRAPH_NODE_TYPE_MEM_FREE && graph->nodes[i]->work.freed == address)
            return true;
    return false;
}

static CUresult add_free(const struct place *place, CUdeviceptr address)
{
    struct graph *graph;
    struct context *context;
    CUresult result = enter(place, &graph, &context);
    if (result == CUDA_SUCCESS && (!graph_memory_exists(address) || is_freed_by(graph, address)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && graph->is_moved)
        result = CUDA_ERROR_NOT_SUPPORTED;
    if (result == CUDA_SUCCESS)
        result = add_simple(
            place, graph,
            (struct node_work){.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .context = context->handle, .freed = address});
    return driver_leave(result);
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                               CUdeviceptr address)
{
    struct place place = {node, graph, dependencies, NULL, count};
    return add_free(&place, address);
}

/* Kinds that exist and are not emulated are named once each: a program may try them in a loop. */
static CUresult refuse_kind(CUgraphNodeType type)
{
    static atomic_flag said[CU_GRAPH_NODE_TYPE_CONDITIONAL + 1];
    if ((unsigned)type > CU_GRAPH_NODE_TYPE_CONDITIONAL)
        return CUDA_ERROR_INVALID_VALUE;
    if (!atomic_flag_test_and_set(&said[type]))
        fprintf(stderr,
                "lockstep: cuGraphAddNode: %s nodes are not emulated; it returns CUDA_ERROR_NOT_SUPPORTED. Build the graph "
                "without them, or run the program on a GPU.\n",
                node_type_name(type));
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, const CUgraphEdgeData *data,
                           size_t count, CUgraphNodeParams *wanted)
{
    struct place place = {node, graph, dependencies, data, count};
    if (!node_parameters_are_clean(wanted))
        return CUDA_ERROR_INVALID_VALUE;
    switch (wanted->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return add_kernel(&place, &wanted->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY: return add_copy(&place, &wanted->memcpy.copyParams, wanted->memcpy.copyCtx);
    case CU_GRAPH_NODE_TYPE_MEMSET: return add_fill(&place, &wanted->memset.fill, wanted->memset.ctx);
    case CU_GRAPH_NODE_TYPE_HOST: return add_host(&place, &wanted->host);
    case CU_GRAPH_NODE_TYPE_GRAPH: return add_child(&place, wanted->graph.graph, wanted->graph.ownership);
    case CU_GRAPH_NODE_TYPE_EMPTY: return add_empty(&place);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: return add_event(&place, wanted->type, wanted->event);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: return add_allocation(&place, &wanted->alloc);
    case CU_GRAPH_NODE_TYPE_MEM_FREE: return add_free(&place, wanted->free);
    default: return refuse_kind(wanted->type);
    }
}

CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                        CUgraphNodeParams *wanted)
{
    return cuGraphAddNode_v2(node, graph, dependencies, NULL, count, wanted);
}
