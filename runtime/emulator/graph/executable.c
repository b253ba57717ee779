#include "runtime/emulator/graph/executable.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/driver/call_log.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/handle.h"
#include "runtime/emulator/driver/unordered.h"
#include "runtime/emulator/graph/branches.h"
#include "runtime/emulator/graph/graph_memory.h"

enum {
    KNOWN_FLAGS = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD
                  | CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY
};

struct executable *executable_find(CUgraphExec handle)
{
    return handle_find(handle, HANDLE_GRAPH_EXEC);
}

/* ---- instantiation ---- */

/* Orders the nodes of the copy and of its child graphs. */
static CUresult order_nodes(struct graph *copy, uint64_t *in_cycle)
{
    copy->order = malloc((copy->node_count + 1) * sizeof *copy->order);
    size_t count = copy->order ? graph_order(copy, copy->order) : SIZE_MAX;
    if (count == SIZE_MAX)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; count < copy->node_count && i < copy->node_count; i++) {
        size_t place = 0;
        while (place < count && copy->order[place] != copy->nodes[i])
            place++;
        if (place == count) {
            *in_cycle = copy->nodes[i]->source;
            return CUDA_ERROR_INVALID_VALUE;
        }
    }
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < copy->node_count && result == CUDA_SUCCESS; i++)
        if (copy->nodes[i]->child)
            result = order_nodes(copy->nodes[i]->child, in_cycle);
    return result;
}

static CUgraphNode handle_of(const struct graph *graph, uint64_t id)
{
    for (size_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i]->id == id)
            return graph->nodes[i]->handle;
    return NULL;
}

/* Instantiates what has been checked. */
static CUresult make(struct graph *graph, uint64_t flags, CUgraphNode *error_node, CUgraphInstantiateResult *why,
                     struct executable **made)
{
    uint64_t in_cycle = 0;
    struct executable *executable = calloc(1, sizeof *executable);
    CUresult result = executable ? graph_clone(graph, &executable->graph) : CUDA_ERROR_OUT_OF_MEMORY;
    if (result == CUDA_SUCCESS)
        result = order_nodes(executable->graph, &in_cycle);
    if (result == CUDA_SUCCESS && !(executable->handle = handle_create(HANDLE_GRAPH_EXEC, executable, NULL)))
        result = CUDA_ERROR_OUT_OF_MEMORY;
    if (result != CUDA_SUCCESS) {
        if (in_cycle) {
            *error_node = handle_of(graph, in_cycle);
            *why = CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
        }
        if (executable && executable->graph)
            graph_destroy(executable->graph);
        free(executable);
        return result;
    }
    executable->flags = flags;
    if (graph_has_memory(graph)) {
        executable->source_with_memory = graph;
        graph->executables++;
    }
    *why = CUDA_GRAPH_INSTANTIATE_SUCCESS;
    *made = executable;
    return CUDA_SUCCESS;
}

CUresult executable_create(struct graph *graph, uint64_t flags, CUgraphNode *error_node, CUgraphInstantiateResult *why,
                           struct executable **executable)
{
    *error_node = NULL;
    *why = CUDA_GRAPH_INSTANTIATE_ERROR;
    if (flags & ~(uint64_t)KNOWN_FLAGS || graph->is_moved)
        return CUDA_ERROR_INVALID_VALUE;
    if (graph->executables > 0) /* the addresses of its allocations are in use */
        return CUDA_ERROR_NOT_SUPPORTED;
    return make(graph, flags, error_node, why, executable);
}

void executable_destroy(struct executable *executable)
{
    handle_destroy(executable->handle);
    if (executable->source_with_memory)
        executable->source_with_memory->executables--;
    executable->source_with_memory = NULL;
    executable->doomed = true;
    if (executable->running > 0)
        return;
    graph_destroy(executable->graph);
    free(executable);
}

void executable_forget_graph(const struct graph *graph)
{
    size_t cursor = 0;
    struct executable *executable;
    while ((executable = handle_next(HANDLE_GRAPH_EXEC, NULL, &cursor)))
        if (executable->source_with_memory == graph)
            executable->source_with_memory = NULL;
}

/* ---- launching ---- */

/* Memory that an earlier launch left. It is freed if the executable was made to do that; else it is in the way. */
static CUresult free_memory(const struct graph *graph, bool may_free)
{
    for (size_t i = 0; i < graph->node_count; i++) {
        const struct graph_node *node = graph->nodes[i];
        CUresult result = node->child ? free_memory(node->child, may_free) : CUDA_SUCCESS;
        if (node->work.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC && graph_memory_is_allocated(node->work.allocation.dptr))
            result = may_free ? graph_memory_free("cuGraphLaunch", node->work.allocation.dptr) : CUDA_ERROR_INVALID_VALUE;
        if (result != CUDA_SUCCESS)
            return result;
    }
    return CUDA_SUCCESS;
}

static bool has_failed(const struct node_work *work)
{
    const struct context *context = context_find(work->context);
    return context && context->failure;
}

static CUresult run(const struct graph *graph, struct branches *branches, struct branch_clock *clock, bool *stopped);

static CUresult run_node(const struct graph_node *node, struct branches *branches, struct branch_clock *clock, bool *stopped)
{
    if (node->child)
        return run(node->child, branches, clock, stopped);
    if (node->is_disabled)
        return CUDA_SUCCESS;
    if (!clock)
        return node_work_run(&node->work, node->position, NULL);
    unsigned branch = branches_put(branches, clock);
    const struct graph_branch place = {branch, clock->done, branches->count};
    if (driver.settings->checks == CHECKS_ALL)
        unordered_enter_node(node->position, &place);
    return node_work_run(&node->work, node->position, call_log_is_open() ? &place : NULL);
}

/* Runs the nodes of a graph, or of a child graph.
 *   clock     in: what it comes after; out: that, and what it did; NULL: no order is kept
 *   stopped   set when a kernel has failed: nothing after it runs, and the next call returns its code */
static CUresult run(const struct graph *graph, struct branches *branches, struct branch_clock *clock, bool *stopped)
{
    CUresult result = CUDA_SUCCESS;
    struct branch_clock *clocks = clock ? calloc(graph->node_count + 1, sizeof *clocks) : NULL, before = {{0}};
    if (clock)
        before = *clock;
    for (size_t i = 0; i < graph->node_count && !*stopped && result == CUDA_SUCCESS; i++) {
        const struct graph_node *node = graph->order[i];
        struct branch_clock *own = clocks ? &clocks[node->position] : NULL;
        if (own)
            branch_clock_join(own, &before);
        for (size_t k = 0; own && k < node->before.count; k++)
            branch_clock_join(own, &clocks[node->before.list[k].node->position]);
        result = run_node(node, branches, own, stopped);
        if (own)
            branch_clock_join(clock, own);
        *stopped = *stopped || has_failed(&node->work);
    }
    free(clocks);
    return result;
}

static size_t count_nodes(const struct graph *graph)
{
    size_t count = graph->node_count;
    for (size_t i = 0; i < graph->node_count; i++)
        count += graph->nodes[i]->child ? count_nodes(graph->nodes[i]->child) : 0;
    return count;
}

/* Is it needed in which order the nodes could run? */
static bool keeps_order(const struct graph *graph)
{
    enum { MOST_COMPARED = 1024 }; /* nodes of a launch; with more, each counts as ordered after the others */
    if (call_log_is_open())
        return true;
    size_t count = driver.settings->checks == CHECKS_ALL ? count_nodes(graph) : 0;
    return count > 1 && count <= MOST_COMPARED;
}

CUresult executable_launch(struct executable *executable)
{
    bool stopped = false;
    CUresult result = free_memory(executable->graph,
                                  (executable->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) != 0);
    if (result != CUDA_SUCCESS)
        return result;
    struct branches branches = {.count = 0};
    struct branch_clock clock = {{0}};
    executable->running++;
    result = run(executable->graph, &branches, keeps_order(executable->graph) ? &clock : NULL, &stopped);
    unordered_leave_graph();
    executable->running--;
    if (executable->doomed && executable->running == 0) {
        graph_destroy(executable->graph);
        free(executable);
    }
    return result;
}

/* ---- changes ---- */

static struct graph_node *find_copy(const struct graph *graph, uint64_t id)
{
    for (size_t i = 0; i < graph->node_count; i++) {
        struct graph_node *node = graph->nodes[i];
        if (node->source == id)
            return node;
        struct graph_node *inside = node->child ? find_copy(node->child, id) : NULL;
        if (inside)
            return inside;
    }
    return NULL;
}

struct graph_node *executable_find_node(const struct executable *executable, CUgraphNode handle)
{
    const struct graph_node *node = graph_find_node(handle);
    return node ? find_copy(executable->graph, node->id) : NULL;
}

/* A pointer may be either, where the copy says "unified": where it points to decides. */
static bool is_host_side(CUmemorytype type, const void *host, CUdeviceptr device)
{
    (void)host;
    return type == CU_MEMORYTYPE_HOST || (type == CU_MEMORYTYPE_UNIFIED && device < MEMORY_HOST_END);
}

static bool same_sides(const CUDA_MEMCPY3D *one, const CUDA_MEMCPY3D *other)
{
    return is_host_side(one->srcMemoryType, one->srcHost, one->srcDevice)
               == is_host_side(other->srcMemoryType, other->srcHost, other->srcDevice)
           && is_host_side(one->dstMemoryType, one->dstHost, one->dstDevice)
                  == is_host_side(other->dstMemoryType, other->dstHost, other->dstDevice);
}

/* Only one row may get another shape. */
static bool same_shape(const CUDA_MEMSET_NODE_PARAMS *one, const CUDA_MEMSET_NODE_PARAMS *other)
{
    if (one->height <= 1 && other->height <= 1)
        return true;
    return one->height == other->height && one->width == other->width && one->elementSize == other->elementSize;
}

/* Why a node of an executable cannot take over this work; SUCCESS when it can. */
static CUgraphExecUpdateResult compare(const struct node_work *now, const struct node_work *wanted)
{
    if (now->type != wanted->type)
        return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
    bool fits = true;
    switch (now->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: fits = now->context == wanted->context; break;
    case CU_GRAPH_NODE_TYPE_MEMCPY: fits = same_sides(&now->copy, &wanted->copy); break;
    case CU_GRAPH_NODE_TYPE_MEMSET: fits = same_shape(&now->fill, &wanted->fill); break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: fits = now->allocation.dptr == wanted->allocation.dptr; break;
    case CU_GRAPH_NODE_TYPE_MEM_FREE: fits = now->freed == wanted->freed; break;
    default: break;
    }
    if (fits)
        return CU_GRAPH_EXEC_UPDATE_SUCCESS;
    return now->type == CU_GRAPH_NODE_TYPE_KERNEL ? CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE
                                                  : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
}

CUresult executable_set_work(struct graph_node *node, struct node_work *work)
{
    if (compare(&node->work, work) != CU_GRAPH_EXEC_UPDATE_SUCCESS) {
        node_work_clear(work);
        return CUDA_ERROR_INVALID_VALUE;
    }
    node_work_clear(&node->work);
    node->work = *work;
    return CUDA_SUCCESS;
}

/* Does `wanted` wait for the nodes that correspond to those that `now` waits for? *from is the first that does not. */
static bool same_dependencies(const struct graph_node *now, const struct graph_node *wanted, CUgraphNode *from)
{
    *from = NULL;
    if (now->before.count != wanted->before.count)
        return false;
    for (size_t i = 0; i < wanted->before.count; i++) {
        const struct graph_edge *edge = &wanted->before.list[i];
        if (!graph_is_connected(now->graph->nodes[edge->node->position], now, &edge->data)) {
            *from = edge->node->handle;
            return false;
        }
    }
    return true;
}

/* Can every node take over its counterpart's parameters? */
static CUgraphExecUpdateResult check_update(const struct graph *now, const struct graph *wanted,
                                            CUgraphExecUpdateResultInfo *info)
{
    if (now->node_count != wanted->node_count)
        return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    for (size_t i = 0; i < now->node_count; i++) {
        const struct graph_node *node = wanted->nodes[i];
        CUgraphExecUpdateResult why = CU_GRAPH_EXEC_UPDATE_SUCCESS;
        info->errorNode = node->handle;
        if (!same_dependencies(now->nodes[i], node, &info->errorFromNode))
            why = CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
        else
            why = compare(&now->nodes[i]->work, &node->work);
        if (why == CU_GRAPH_EXEC_UPDATE_SUCCESS && node->child)
            why = check_update(now->nodes[i]->child, node->child, info);
        if (why != CU_GRAPH_EXEC_UPDATE_SUCCESS)
            return why;
    }
    info->errorNode = info->errorFromNode = NULL;
    return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

static CUresult take_over(struct graph *now, const struct graph *wanted)
{
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < now->node_count && result == CUDA_SUCCESS; i++) {
        struct node_work copy;
        const struct graph_node *node = wanted->nodes[i];
        if (node->child)
            result = take_over(now->nodes[i]->child, node->child);
        else if (node_work_copy(&copy, &node->work))
            result = executable_set_work(now->nodes[i], &copy);
        else
            result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    return result;
}

CUresult executable_update_graph(struct graph *now, const struct graph *graph, CUgraphExecUpdateResultInfo *info)
{
    *info = (CUgraphExecUpdateResultInfo){0};
    info->result = check_update(now, graph, info);
    if (info->result != CU_GRAPH_EXEC_UPDATE_SUCCESS)
        return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    return take_over(now, graph);
}

CUresult executable_update(struct executable *executable, const struct graph *graph, CUgraphExecUpdateResultInfo *info)
{
    return executable_update_graph(executable->graph, graph, info);
}
