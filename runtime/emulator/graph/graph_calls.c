/* Entry points: graphs, their nodes and dependencies, and what graphs hold on to. */
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/graph/capture.h"
#include "runtime/emulator/graph/dot.h"
#include "runtime/emulator/graph/executable.h"
#include "runtime/emulator/graph/graph.h"
#include "runtime/emulator/graph/user_object.h"

static CUresult enter_graph(CUgraph handle, struct graph **graph)
{
    CUresult result = driver_enter_any();
    if (result != CUDA_SUCCESS)
        return result;
    *graph = graph_find(handle);
    return *graph ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult enter_node(CUgraphNode handle, struct graph_node **node)
{
    CUresult result = driver_enter_any();
    if (result != CUDA_SUCCESS)
        return result;
    *node = graph_find_node(handle);
    return *node ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphCreate(CUgraph *handle, unsigned flags)
{
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS && (!handle || flags != 0))
        result = CUDA_ERROR_INVALID_VALUE;
    struct graph *graph = result == CUDA_SUCCESS ? graph_create() : NULL;
    if (graph)
        *handle = graph->handle;
    else if (result == CUDA_SUCCESS)
        result = CUDA_ERROR_OUT_OF_MEMORY;
    return driver_leave(result);
}

/* A graph that a node owns, or that a stream is captured into, is not the program's to destroy. */
CUresult cuGraphDestroy(CUgraph handle)
{
    struct graph *graph;
    CUresult result = enter_graph(handle, &graph);
    if (result == CUDA_SUCCESS && (graph->owner || capture_uses(graph)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        executable_forget_graph(graph);
        graph_destroy(graph);
    }
    return driver_leave(result);
}

CUresult cuGraphClone(CUgraph *clone_handle, CUgraph handle)
{
    struct graph *graph, *clone;
    CUresult result = enter_graph(handle, &graph);
    if (result == CUDA_SUCCESS && !clone_handle)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && graph_has_memory(graph))
        result = CUDA_ERROR_NOT_SUPPORTED;
    if (result == CUDA_SUCCESS)
        result = graph_clone(graph, &clone);
    if (result == CUDA_SUCCESS)
        *clone_handle = clone->handle;
    return driver_leave(result);
}

CUresult cuGraphNodeFindInClone(CUgraphNode *found, CUgraphNode original, CUgraph clone_handle)
{
    struct graph *clone;
    CUresult result = enter_graph(clone_handle, &clone);
    const struct graph_node *node = result == CUDA_SUCCESS ? graph_find_node(original) : NULL;
    if (result == CUDA_SUCCESS && (!found || !node || clone->source != node->graph->id))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    for (size_t i = 0; i < clone->node_count; i++)
        if (clone->nodes[i]->source == node->id) {
            *found = clone->nodes[i]->handle;
            return driver_leave(CUDA_SUCCESS);
        }
    return driver_leave(CUDA_ERROR_INVALID_VALUE);
}

CUresult cuGraphNodeGetType(CUgraphNode handle, CUgraphNodeType *type)
{
    struct graph_node *node;
    CUresult result = enter_node(handle, &node);
    if (result == CUDA_SUCCESS && !type)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *type = node->work.type;
    return driver_leave(result);
}

/* Memory nodes stay: their addresses are in use. */
CUresult cuGraphDestroyNode(CUgraphNode handle)
{
    struct graph_node *node;
    CUresult result = enter_node(handle, &node);
    if (result == CUDA_SUCCESS
        && (node->work.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || node->work.type == CU_GRAPH_NODE_TYPE_MEM_FREE))
        result = CUDA_ERROR_NOT_SUPPORTED;
    if (result == CUDA_SUCCESS)
        graph_remove(node);
    return driver_leave(result);
}

/* ---- lists ---- */

/* Where a list of nodes or edges goes: arrays that hold `room` elements, and where its length goes. */
struct answer {
    CUgraphNode *nodes, *others;
    CUgraphEdgeData *data;
    size_t room, count;
};

static void put(struct answer *answer, const struct graph_node *node, const struct graph_node *other,
                const CUgraphEdgeData *data)
{
    if (answer->count < answer->room) {
        answer->nodes[answer->count] = node->handle;
        if (answer->others)
            answer->others[answer->count] = other->handle;
        if (answer->data)
            answer->data[answer->count] = *data;
    }
    answer->count++;
}

/* Begins a list: *count says how much the arrays hold, unless there are none. */
static struct answer begin(CUgraphNode *nodes, CUgraphNode *others, CUgraphEdgeData *data, const size_t *count)
{
    return (struct answer){nodes, others, data, nodes ? *count : 0, 0};
}

/* Elements that there is room for but no node are NULL; *count is then how many there are. */
static void finish(struct answer *answer, size_t *count)
{
    for (size_t i = answer->count; i < answer->room; i++) {
        answer->nodes[i] = NULL;
        if (answer->others)
            answer->others[i] = NULL;
    }
    *count = answer->nodes && answer->count > answer->room ? answer->room : answer->count;
}

static CUresult list_nodes(CUgraph handle, CUgraphNode *nodes, size_t *count, bool only_roots)
{
    struct graph *graph;
    CUresult result = enter_graph(handle, &graph);
    if (result == CUDA_SUCCESS && !count)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    struct answer answer = begin(nodes, NULL, NULL, count);
    for (size_t i = 0; i < graph->node_count; i++)
        if (!only_roots || graph->nodes[i]->before.count == 0)
            put(&answer, graph->nodes[i], NULL, NULL);
    finish(&answer, count);
    return driver_leave(CUDA_SUCCESS);
}

CUresult cuGraphGetNodes(CUgraph handle, CUgraphNode *nodes, size_t *count)
{
    return list_nodes(handle, nodes, count, false);
}

CUresult cuGraphGetRootNodes(CUgraph handle, CUgraphNode *nodes, size_t *count)
{
    return list_nodes(handle, nodes, count, true);
}

/* The older forms have no place for data other than that of ordinary dependencies: LOSSY_QUERY. */
static bool is_ordinary(const CUgraphEdgeData *data)
{
    static const CUgraphEdgeData ordinary;
    return memcmp(data, &ordinary, sizeof ordinary) == 0;
}

static CUresult list_edges(CUgraph handle, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *count)
{
    struct graph *graph;
    CUresult result = enter_graph(handle, &graph);
    if (result == CUDA_SUCCESS && (!count || !from != !to || (data && !from)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    struct answer answer = begin(from, to, data, count);
    for (size_t i = 0; i < graph->node_count; i++) {
        const struct graph_edges *before = &graph->nodes[i]->before;
        for (size_t k = 0; k < before->count; k++) {
            if (from && !data && !is_ordinary(&before->list[k].data))
                result = CUDA_ERROR_LOSSY_QUERY;
            put(&answer, before->list[k].node, graph->nodes[i], &before->list[k].data);
        }
    }
    finish(&answer, count);
    return driver_leave(result);
}

CUresult cuGraphGetEdges(CUgraph handle, CUgraphNode *from, CUgraphNode *to, size_t *count)
{
    return list_edges(handle, from, to, NULL, count);
}

CUresult cuGraphGetEdges_v2(CUgraph handle, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *count)
{
    return list_edges(handle, from, to, data, count);
}

enum direction { BEFORE, AFTER };

static CUresult list_neighbours(CUgraphNode handle, enum direction direction, CUgraphNode *nodes, CUgraphEdgeData *data,
                                size_t *count)
{
    struct graph_node *node;
    CUresult result = enter_node(handle, &node);
    if (result == CUDA_SUCCESS && (!count || (data && !nodes)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    const struct graph_edges *edges = direction == BEFORE ? &node->before : &node->after;
    struct answer answer = begin(nodes, NULL, data, count);
    for (size_t i = 0; i < edges->count; i++) {
        if (nodes && !data && !is_ordinary(&edges->list[i].data))
            result = CUDA_ERROR_LOSSY_QUERY;
        put(&answer, edges->list[i].node, NULL, &edges->list[i].data);
    }
    finish(&answer, count);
    return driver_leave(result);
}

CUresult cuGraphNodeGetDependencies(CUgraphNode handle, CUgraphNode *nodes, size_t *count)
{
    return list_neighbours(handle, BEFORE, nodes, NULL, count);
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode handle, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count)
{
    return list_neighbours(handle, BEFORE, nodes, data, count);
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode handle, CUgraphNode *nodes, size_t *count)
{
    return list_neighbours(handle, AFTER, nodes, NULL, count);
}

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode handle, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count)
{
    return list_neighbours(handle, AFTER, nodes, data, count);
}

/* ---- dependencies ---- */

/* Applies `change` to each dependency; those before one that fails stay changed. */
static CUresult change_edges(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *data,
                             size_t count,
                             CUresult (*change)(struct graph_node *from, struct graph_node *to, const CUgraphEdgeData *data))
{
    struct graph *graph;
    CUresult result = enter_graph(handle, &graph);
    if (result == CUDA_SUCCESS && count > 0 && (!from || !to))
        result = CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++) {
        struct graph_node *start = graph_find_node(from[i]), *end = graph_find_node(to[i]);
        if (!start || !end || start->graph != graph || end->graph != graph)
            result = CUDA_ERROR_INVALID_VALUE;
        else
            result = change(start, end, data ? &data[i] : NULL);
    }
    return driver_leave(result);
}

CUresult cuGraphAddDependencies_v2(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to,
                                   const CUgraphEdgeData *data, size_t count)
{
    return change_edges(handle, from, to, data, count, graph_connect);
}

CUresult cuGraphAddDependencies(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
    return cuGraphAddDependencies_v2(handle, from, to, NULL, count);
}

CUresult cuGraphRemoveDependencies_v2(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to,
                                      const CUgraphEdgeData *data, size_t count)
{
    return change_edges(handle, from, to, data, count, graph_disconnect);
}

/* The older form does not look at the data. */
static CUresult disconnect_any(struct graph_node *from, struct graph_node *to, const CUgraphEdgeData *data)
{
    (void)data;
    const CUgraphEdgeData *known = graph_edge_data(from, to);
    return known ? graph_disconnect(from, to, known) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphRemoveDependencies(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
    return change_edges(handle, from, to, NULL, count, disconnect_any);
}

/* ---- user objects, drawings ---- */

static struct graph_reference *find_reference(const struct graph *graph, const struct user_object *object)
{
    for (size_t i = 0; i < graph->reference_count; i++)
        if (graph->references[i].object == object)
            return &graph->references[i];
    return NULL;
}

static CUresult retain(struct graph *graph, struct user_object *object, unsigned count, unsigned flags)
{
    if (!object || count == 0 || count > INT32_MAX || flags > CU_GRAPH_USER_OBJECT_MOVE)
        return CUDA_ERROR_INVALID_VALUE;
    struct graph_reference *reference = find_reference(graph, object);
    if (!reference) {
        struct graph_reference *grown = realloc(graph->references, (graph->reference_count + 1) * sizeof *graph->references);
        if (!grown)
            return CUDA_ERROR_OUT_OF_MEMORY;
        graph->references = grown;
        reference = &grown[graph->reference_count++];
        *reference = (struct graph_reference){object, 0};
    }
    reference->count += count;
    if (flags != CU_GRAPH_USER_OBJECT_MOVE) /* else the caller's own references become the graph's */
        user_object_retain(object, count);
    return CUDA_SUCCESS;
}

CUresult cuGraphRetainUserObject(CUgraph handle, CUuserObject object, unsigned count, unsigned flags)
{
    struct graph *graph;
    CUresult result = enter_graph(handle, &graph);
    return driver_leave(result == CUDA_SUCCESS ? retain(graph, user_object_find(object), count, flags) : result);
}

CUresult cuGraphReleaseUserObject(CUgraph handle, CUuserObject object_handle, unsigned count)
{
    struct graph *graph;
    CUresult result = enter_graph(handle, &graph);
    struct user_object *object = result == CUDA_SUCCESS ? user_object_find(object_handle) : NULL;
    struct graph_reference *reference = object ? find_reference(graph, object) : NULL;
    if (result == CUDA_SUCCESS && (!reference || count == 0 || count > reference->count))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    reference->count -= count;
    if (reference->count == 0)
        *reference = graph->references[--graph->reference_count];
    user_object_release(object, count);
    return driver_leave(CUDA_SUCCESS);
}

CUresult cuGraphDebugDotPrint(CUgraph handle, const char *path, unsigned flags)
{
    struct graph *graph;
    CUresult result = enter_graph(handle, &graph);
    if (result == CUDA_SUCCESS && !path)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && !dot_write(graph, path, flags))
        result = CUDA_ERROR_OPERATING_SYSTEM;
    return driver_leave(result);
}
