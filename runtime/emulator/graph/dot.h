/* Graphs as text for Graphviz. */
#ifndef EMULATOR_DOT_H
#define EMULATOR_DOT_H

#include <stdbool.h>

#include "runtime/emulator/graph/graph.h"

/* Writes the graph and its child graphs to a file.
 *   flags   as cuGraphDebugDotPrint takes them: which details of nodes to add
 * Returns false when the file cannot be written. */
bool dot_write(const struct graph *graph, const char *path, unsigned flags);

#endif
