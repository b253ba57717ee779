#include "runtime/emulator/graph/graph.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/driver/handle.h"
#include "runtime/emulator/graph/user_object.h"

static const CUgraphEdgeData ordinary;
static uint64_t last_id;

struct graph *graph_find(CUgraph handle)
{
    return handle_find(handle, HANDLE_GRAPH);
}

struct graph_node *graph_find_node(CUgraphNode handle)
{
    return handle_find(handle, HANDLE_GRAPH_NODE);
}

struct graph *graph_create(void)
{
    struct graph *graph = calloc(1, sizeof *graph);
    if (!graph)
        return NULL;
    graph->id = ++last_id;
    graph->handle = handle_create(HANDLE_GRAPH, graph, NULL);
    if (!graph->handle) {
        free(graph);
        return NULL;
    }
    return graph;
}

static void destroy_node(struct graph_node *node)
{
    handle_destroy(node->handle);
    if (node->child)
        graph_destroy(node->child);
    node_work_clear(&node->work);
    free(node->before.list);
    free(node->after.list);
    free(node);
}

void graph_destroy(struct graph *graph)
{
    handle_destroy(graph->handle);
    for (size_t i = 0; i < graph->node_count; i++)
        destroy_node(graph->nodes[i]);
    for (size_t i = 0; i < graph->reference_count; i++)
        user_object_release(graph->references[i].object, graph->references[i].count);
    free(graph->references);
    free(graph->order);
    free(graph->nodes);
    free(graph);
}

/* ---- dependencies ---- */

static struct graph_edge *find_edge(const struct graph_edges *edges, const struct graph_node *node,
                                    const CUgraphEdgeData *data)
{
    for (size_t i = 0; i < edges->count; i++)
        if (edges->list[i].node == node && (!data || memcmp(&edges->list[i].data, data, sizeof *data) == 0))
            return &edges->list[i];
    return NULL;
}

bool graph_is_connected(const struct graph_node *from, const struct graph_node *to, const CUgraphEdgeData *data)
{
    return find_edge(&to->before, from, data) != NULL;
}

const CUgraphEdgeData *graph_edge_data(const struct graph_node *from, const struct graph_node *to)
{
    const struct graph_edge *edge = find_edge(&to->before, from, NULL);
    return edge ? &edge->data : NULL;
}

static bool append(struct graph_edges *edges, struct graph_node *node, const CUgraphEdgeData *data)
{
    if (edges->count == edges->capacity) {
        size_t capacity = edges->capacity ? edges->capacity * 2 : 4;
        struct graph_edge *grown = realloc(edges->list, capacity * sizeof *grown);
        if (!grown)
            return false;
        edges->list = grown;
        edges->capacity = capacity;
    }
    edges->list[edges->count++] = (struct graph_edge){node, *data};
    return true;
}

static void take_out(struct graph_edges *edges, struct graph_edge *edge)
{
    size_t place = (size_t)(edge - edges->list);
    memmove(edge, edge + 1, (edges->count - place - 1) * sizeof *edge);
    edges->count--;
}

/* Only kernels have ports, and a dependency on one of them is programmatic. */
static bool data_fits(const struct graph_node *from, const struct graph_node *to, const CUgraphEdgeData *data)
{
    static const unsigned char zeros[sizeof data->reserved];
    if (data->to_port != 0 || data->type > 1 || data->from_port > 2 || memcmp(data->reserved, zeros, sizeof zeros) != 0)
        return false;
    if (data->type == 0 && data->from_port == 0)
        return true;
    return data->type == 1 && data->from_port != 0 && from->work.type == CU_GRAPH_NODE_TYPE_KERNEL
           && to->work.type == CU_GRAPH_NODE_TYPE_KERNEL;
}

CUresult graph_connect(struct graph_node *from, struct graph_node *to, const CUgraphEdgeData *data)
{
    if (!data)
        data = &ordinary;
    if (from == to || from->graph != to->graph || !data_fits(from, to, data) || graph_is_connected(from, to, NULL))
        return CUDA_ERROR_INVALID_VALUE;
    if (!append(&to->before, from, data))
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (!append(&from->after, to, data)) {
        to->before.count--;
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return CUDA_SUCCESS;
}

CUresult graph_disconnect(struct graph_node *from, struct graph_node *to, const CUgraphEdgeData *data)
{
    struct graph_edge *before = find_edge(&to->before, from, data ? data : &ordinary);
    if (!before)
        return CUDA_ERROR_INVALID_VALUE;
    take_out(&to->before, before); /* `data` may have been inside */
    take_out(&from->after, find_edge(&from->after, to, NULL));
    return CUDA_SUCCESS;
}

size_t graph_edge_count(const struct graph *graph)
{
    size_t count = 0;
    for (size_t i = 0; i < graph->node_count; i++)
        count += graph->nodes[i]->before.count;
    return count;
}

/* ---- nodes ---- */

/* A node at the end of the list, without dependencies. NULL when out of memory. */
static struct graph_node *append_node(struct graph *graph)
{
    if (graph->node_count == graph->node_capacity) {
        size_t capacity = graph->node_capacity ? graph->node_capacity * 2 : 8;
        struct graph_node **grown = realloc(graph->nodes, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        graph->nodes = grown;
        graph->node_capacity = capacity;
    }
    struct graph_node *node = calloc(1, sizeof *node);
    if (!node)
        return NULL;
    node->handle = handle_create(HANDLE_GRAPH_NODE, node, NULL);
    if (!node->handle) {
        free(node);
        return NULL;
    }
    node->id = ++last_id;
    node->graph = graph;
    node->position = graph->node_count;
    graph->nodes[graph->node_count++] = node;
    return node;
}

void graph_remove(struct graph_node *node)
{
    struct graph *graph = node->graph;
    for (size_t i = 0; i < node->before.count; i++) {
        struct graph_edges *after = &node->before.list[i].node->after;
        take_out(after, find_edge(after, node, NULL));
    }
    for (size_t i = 0; i < node->after.count; i++) {
        struct graph_edges *before = &node->after.list[i].node->before;
        take_out(before, find_edge(before, node, NULL));
    }
    graph->node_count--;
    for (size_t i = node->position; i < graph->node_count; i++) {
        graph->nodes[i] = graph->nodes[i + 1];
        graph->nodes[i]->position = i;
    }
    destroy_node(node);
}

/* Connects the new node with those before it. */
static CUresult connect_all(struct graph_node *node, const CUgraphNode *before, const CUgraphEdgeData *data, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct graph_node *from = graph_find_node(before[i]);
        CUresult result = from ? graph_connect(from, node, data ? &data[i] : NULL) : CUDA_ERROR_INVALID_VALUE;
        if (result != CUDA_SUCCESS)
            return result;
    }
    return CUDA_SUCCESS;
}

CUresult graph_add(struct graph *graph, const CUgraphNode *before, const CUgraphEdgeData *data, size_t count,
                   struct node_work *work, struct graph *child, struct graph_node **node)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;
    struct graph_node *made = NULL;
    if (count == 0 || before)
        result = (made = append_node(graph)) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    if (!made) {
        node_work_clear(work);
        if (child)
            graph_destroy(child);
        return result;
    }
    made->work = *work;
    made->child = child;
    if (child)
        child->owner = made;
    result = connect_all(made, before, data, count);
    if (result != CUDA_SUCCESS)
        graph_remove(made);
    else
        *node = made;
    return result;
}

/* ---- whole graphs ---- */

bool graph_has_memory(const struct graph *graph)
{
    for (size_t i = 0; i < graph->node_count; i++) {
        const struct graph_node *node = graph->nodes[i];
        if (node->work.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || node->work.type == CU_GRAPH_NODE_TYPE_MEM_FREE
            || (node->child && graph_has_memory(node->child)))
            return true;
    }
    return false;
}

static CUresult clone_nodes(const struct graph *graph, struct graph *clone)
{
    for (size_t i = 0; i < graph->node_count; i++) {
        const struct graph_node *node = graph->nodes[i];
        struct graph_node *copy = append_node(clone);
        if (!copy || !node_work_copy(&copy->work, &node->work))
            return CUDA_ERROR_OUT_OF_MEMORY;
        copy->source = node->id;
        if (node->child && graph_clone(node->child, &copy->child) != CUDA_SUCCESS)
            return CUDA_ERROR_OUT_OF_MEMORY;
        if (copy->child)
            copy->child->owner = copy;
    }
    for (size_t i = 0; i < graph->node_count; i++) {
        const struct graph_edges *before = &graph->nodes[i]->before;
        for (size_t k = 0; k < before->count; k++) {
            struct graph_node *from = clone->nodes[before->list[k].node->position];
            CUresult result = graph_connect(from, clone->nodes[i], &before->list[k].data);
            if (result != CUDA_SUCCESS)
                return result;
        }
    }
    return CUDA_SUCCESS;
}

static CUresult clone_references(const struct graph *graph, struct graph *clone)
{
    if (graph->reference_count == 0)
        return CUDA_SUCCESS;
    clone->references = malloc(graph->reference_count * sizeof *clone->references);
    if (!clone->references)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < graph->reference_count; i++) {
        clone->references[i] = graph->references[i];
        user_object_retain(graph->references[i].object, graph->references[i].count);
    }
    clone->reference_count = graph->reference_count;
    return CUDA_SUCCESS;
}

CUresult graph_clone(const struct graph *graph, struct graph **clone)
{
    *clone = graph_create();
    if (!*clone)
        return CUDA_ERROR_OUT_OF_MEMORY;
    (*clone)->source = graph->id;
    CUresult result = clone_nodes(graph, *clone);
    if (result == CUDA_SUCCESS)
        result = clone_references(graph, *clone);
    if (result != CUDA_SUCCESS) {
        graph_destroy(*clone);
        *clone = NULL;
    }
    return result;
}

size_t graph_order(const struct graph *graph, const struct graph_node **order)
{
    size_t *missing = calloc(graph->node_count + 1, sizeof *missing); /* dependencies that are not yet in the order */
    if (!missing)
        return SIZE_MAX;
    size_t count = 0;
    for (size_t i = 0; i < graph->node_count; i++)
        if ((missing[i] = graph->nodes[i]->before.count) == 0)
            order[count++] = graph->nodes[i];
    for (size_t done = 0; done < count; done++) {
        const struct graph_edges *after = &order[done]->after;
        for (size_t k = 0; k < after->count; k++)
            if (--missing[after->list[k].node->position] == 0)
                order[count++] = after->list[k].node;
    }
    free(missing);
    return count;
}
