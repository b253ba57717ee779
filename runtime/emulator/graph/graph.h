/* Graphs: nodes in the order in which they were added, each with the nodes that it waits for. A graph belongs to no context
 * and runs nothing by itself: executable.h makes a runnable copy. All functions expect the driver's lock to be held. */
#ifndef EMULATOR_GRAPH_H
#define EMULATOR_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/graph/node_work.h"

struct graph;
struct graph_node;
struct user_object;

/* One dependency, seen from one of its two nodes. */
struct graph_edge {
    struct graph_node *node; /* the other one */
    CUgraphEdgeData data;
};

struct graph_edges {
    struct graph_edge *list;
    size_t count, capacity;
};

struct graph_node {
    CUgraphNode handle;
    uint64_t id;     /* unique in the process */
    uint64_t source; /* id of the node that this one was cloned from; 0 none */
    struct graph *graph;
    struct node_work work;
    struct graph *child; /* of a child graph node: owned */
    struct graph_edges before, after;
    size_t position;  /* in the graph's list */
    bool is_disabled; /* in an executable: does nothing */
};

/* References that a graph holds to a user object. */
struct graph_reference {
    struct user_object *object;
    unsigned count;
};

struct graph {
    CUgraph handle;
    struct graph_node **nodes; /* [node_count], in the order of adding */
    size_t node_count, node_capacity;
    struct graph_reference *references;
    size_t reference_count;
    const struct graph_node **order; /* [node_count], in an executable: as they run; NULL */
    struct graph_node *owner;        /* the child graph node that it belongs to; NULL */
    bool is_moved;                   /* into that node, with its handle */
    unsigned executables;            /* live ones of a graph with memory nodes: there may be one */
    uint64_t source;                 /* id of the graph that it was cloned from; 0 */
    uint64_t id;
};

/* Makes an empty graph. NULL when the host is out of memory. */
struct graph *graph_create(void);

/* Destroys a graph with its nodes and child graphs. Executables live on. */
void graph_destroy(struct graph *graph);

/* The live objects behind handles; NULL when there are none. */
struct graph *graph_find(CUgraph handle);
struct graph_node *graph_find_node(CUgraphNode handle);

/* Adds a node that waits for `before`.
 *   before   [count] nodes of this graph, each once
 *   data     [count], NULL: ordinary dependencies
 *   work     what it does; its memory is the node's from now on, also on failure
 *   child    of a child graph node: the graph, owned from now on; NULL
 * Returns INVALID_VALUE for a node of another graph or one given twice, OUT_OF_MEMORY. */
CUresult graph_add(struct graph *graph, const CUgraphNode *before, const CUgraphEdgeData *data, size_t count,
                   struct node_work *work, struct graph *child, struct graph_node **node);

/* Removes a node and its dependencies. */
void graph_remove(struct graph_node *node);

/* Adds one dependency. INVALID_VALUE when it is there already, leads to itself, or the data does not fit the nodes. */
CUresult graph_connect(struct graph_node *from, struct graph_node *to, const CUgraphEdgeData *data);

/* The data of a dependency; NULL when there is none. */
const CUgraphEdgeData *graph_edge_data(const struct graph_node *from, const struct graph_node *to);

/* Is there such a dependency; with this data, unless NULL? */
bool graph_is_connected(const struct graph_node *from, const struct graph_node *to, const CUgraphEdgeData *data);

/* Removes one dependency. INVALID_VALUE when there is none with this data. */
CUresult graph_disconnect(struct graph_node *from, struct graph_node *to, const CUgraphEdgeData *data);

/* A copy of the graph with all child graphs; CUDA_SUCCESS or OUT_OF_MEMORY. Nodes know what they are copies of. */
CUresult graph_clone(const struct graph *graph, struct graph **clone);

/* The nodes in an order that dependencies allow: of those that are ready, the one that was added first.
 *   order   [node_count], out
 * Returns how many could be ordered: fewer than node_count when there is a cycle; SIZE_MAX when out of memory. */
size_t graph_order(const struct graph *graph, const struct graph_node **order);

/* Does the graph, or a child graph of it, allocate or free? */
bool graph_has_memory(const struct graph *graph);

size_t graph_edge_count(const struct graph *graph);

#endif
