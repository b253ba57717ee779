/* Stream capture: a stream that is captured records what it is asked to do as nodes of a graph. Other streams join when they
 * wait for an event that was recorded in it. All functions expect the driver's lock to be held. */
#ifndef EMULATOR_CAPTURE_H
#define EMULATOR_CAPTURE_H

#include <stdbool.h>

#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/graph/graph.h"

struct context;

/* Begins to capture a stream of the context.
 *   graph    into which; NULL: a new one
 *   before   [count] nodes of it that the first work waits for; data NULL: ordinary dependencies */
CUresult capture_begin(CUstream stream, const struct context *context, CUstreamCaptureMode mode, struct graph *graph,
                       const CUgraphNode *before, const CUgraphEdgeData *data, size_t count);

/* Ends it, and gives the graph, or NULL where it became invalid. */
CUresult capture_end(CUstream stream, struct graph **graph);

/* What is known of a stream's capture; NONE when it is not captured. */
struct capture_state {
    CUstreamCaptureStatus status;
    uint64_t id;
    struct graph *graph;
    const struct graph_edges *before; /* what the next work will wait for; borrowed, until the stream's next call */
};
struct capture_state capture_get(CUstream stream);

/* Changes what the next work waits for: in addition, or instead. ILLEGAL_STATE when the stream is not captured. */
CUresult capture_set_dependencies(CUstream stream, const CUgraphNode *before, const CUgraphEdgeData *data, size_t count,
                                  bool instead);

/* May this thread make a call now that may wait for other work? A refusal ends the capture that forbids it. */
CUresult capture_allow_unsafe(void);

/* May a program ask whether the stream is captured? Not of the legacy stream while a blocking one is: IMPLICIT. */
CUresult capture_ask(CUstream stream);

/* The calling thread's mode, which decides what it may do while others capture. */
CUstreamCaptureMode capture_exchange_mode(CUstreamCaptureMode mode);

/* Is the graph being captured into? */
bool capture_uses(const struct graph *graph);

#endif
