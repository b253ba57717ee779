/* Executable graphs: a copy of a graph as it was when it was instantiated, with the order in which it runs. All functions
 * expect the driver's lock to be held. */
#ifndef EMULATOR_EXECUTABLE_H
#define EMULATOR_EXECUTABLE_H

#include <stdbool.h>

#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/graph/graph.h"

struct executable {
    CUgraphExec handle;
    struct graph *graph;              /* the copy; its nodes name those that they are copies of */
    struct graph *source_with_memory; /* the graph, while it lives, if it may have only one executable; else NULL */
    uint64_t flags;
    unsigned running; /* launches under way: host functions may call the driver from other threads */
    bool doomed;      /* destroyed while it ran */
};

struct executable *executable_find(CUgraphExec handle);

/* Instantiates.
 *   error_node   out: a node of a cycle, or one that cannot be instantiated; NULL
 *   why          out
 * Returns INVALID_VALUE for a cycle, NOT_SUPPORTED for a node or flag that is not implemented. */
CUresult executable_create(struct graph *graph, uint64_t flags, CUgraphNode *error_node, CUgraphInstantiateResult *why,
                           struct executable **executable);
void executable_destroy(struct executable *executable);

/* The graph is about to be destroyed. */
void executable_forget_graph(const struct graph *graph);

/* Runs every enabled node, in an order that dependencies allow. A kernel's failure is returned by the next call. */
CUresult executable_launch(struct executable *executable);

/* The copy of a node; NULL when the node is not part of what was instantiated. */
struct graph_node *executable_find_node(const struct executable *executable, CUgraphNode handle);

/* Replaces the work of a node of the executable; owns `work` afterwards, also on failure. INVALID_VALUE for what may not
 * change: the kind of the node, the kinds of memory of a copy, the shape of a two-dimensional fill. */
CUresult executable_set_work(struct graph_node *node, struct node_work *work);

/* Takes over the parameters of all nodes of a graph that has the same shape; nothing changes where one cannot be taken.
 *   info   out: what differs
 * Returns GRAPH_EXEC_UPDATE_FAILURE then. The second form is for a child graph of an executable. */
CUresult executable_update_graph(struct graph *now, const struct graph *graph, CUgraphExecUpdateResultInfo *info);
CUresult executable_update(struct executable *executable, const struct graph *graph, CUgraphExecUpdateResultInfo *info);

#endif
