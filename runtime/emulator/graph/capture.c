#include "runtime/emulator/graph/capture.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/driver/capture_port.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/event.h"
#include "runtime/emulator/driver/kernel_launch.h"
#include "runtime/emulator/driver/stream.h"
#include "runtime/emulator/driver/stream_work.h"
#include "runtime/emulator/graph/graph_memory.h"
#include "runtime/emulator/graph/node_range.h"

struct capture {
    uint64_t id;
    struct graph *graph;
    bool owns_graph; /* it was made for this capture */
    CUstreamCaptureMode mode;
    pthread_t thread; /* that began it */
    CUstream origin;  /* in which it began */
    const struct context *context;
    bool is_invalid;
    bool has_orphans; /* a stream with work that nobody joined was destroyed */
};

/* A stream, or an event, and the nodes that wait for nothing but what it stands for. */
struct frontier {
    void *handle;
    struct capture *capture; /* NULL, of an event: a capture that has ended */
    struct graph_edges nodes;
};

struct frontiers {
    struct frontier *list;
    size_t count, capacity;
};

static struct frontiers streams, events;
static struct capture **captures;
static size_t capture_count, capture_capacity;
static uint64_t last_id;
static __thread CUstreamCaptureMode thread_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;

/* ---- frontiers ---- */

static struct frontier *find(const struct frontiers *all, const void *handle)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i].handle == handle)
            return &all->list[i];
    return NULL;
}

static void take_out(struct frontiers *all, struct frontier *frontier)
{
    free(frontier->nodes.list);
    *frontier = all->list[--all->count];
}

static struct frontier *enter(struct frontiers *all, void *handle, struct capture *capture)
{
    struct frontier *known = find(all, handle);
    if (known) {
        known->capture = capture;
        known->nodes.count = 0;
        return known;
    }
    if (all->count == all->capacity) {
        size_t capacity = all->capacity ? all->capacity * 2 : 8;
        struct frontier *grown = realloc(all->list, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        all->list = grown;
        all->capacity = capacity;
    }
    all->list[all->count] = (struct frontier){.handle = handle, .capture = capture};
    return &all->list[all->count++];
}

static bool includes(const struct graph_edges *nodes, const struct graph_node *node)
{
    for (size_t i = 0; i < nodes->count; i++)
        if (nodes->list[i].node == node)
            return true;
    return false;
}

static bool include(struct graph_edges *nodes, struct graph_node *node, const CUgraphEdgeData *data)
{
    static const CUgraphEdgeData ordinary;
    if (includes(nodes, node))
        return true;
    if (nodes->count == nodes->capacity) {
        size_t capacity = nodes->capacity ? nodes->capacity * 2 : 4;
        struct graph_edge *grown = realloc(nodes->list, capacity * sizeof *grown);
        if (!grown)
            return false;
        nodes->list = grown;
        nodes->capacity = capacity;
    }
    nodes->list[nodes->count++] = (struct graph_edge){node, data ? *data : ordinary};
    return true;
}

static CUresult include_all(struct graph_edges *nodes, const struct graph_edges *added)
{
    for (size_t i = 0; i < added->count; i++)
        if (!include(nodes, added->list[i].node, &added->list[i].data))
            return CUDA_ERROR_OUT_OF_MEMORY;
    return CUDA_SUCCESS;
}

/* ---- captures ---- */

static struct capture *capture_of(CUstream stream)
{
    const struct frontier *frontier = find(&streams, stream);
    return frontier ? frontier->capture : NULL;
}

bool capture_uses(const struct graph *graph)
{
    for (size_t i = 0; i < capture_count; i++)
        if (captures[i]->graph == graph)
            return true;
    return false;
}

/* Ends a capture for all its streams. Its graph is the caller's, or destroyed. */
static void finish(struct capture *capture, bool keep_graph)
{
    for (size_t i = streams.count; i-- > 0;)
        if (streams.list[i].capture == capture)
            take_out(&streams, &streams.list[i]);
    for (size_t i = 0; i < events.count; i++)
        if (events.list[i].capture == capture) {
            events.list[i].capture = NULL;
            events.list[i].nodes.count = 0;
        }
    for (size_t i = 0; i < capture_count; i++)
        if (captures[i] == capture)
            captures[i] = captures[--capture_count];
    if (!keep_graph && capture->owns_graph)
        graph_destroy(capture->graph);
    free(capture);
}

static CUresult refuse(struct capture *capture, CUresult code)
{
    capture->is_invalid = true;
    return code;
}

/* Calls that may wait for other work: which capture forbids them to this thread, by the modes of both. */
static CUresult allow_unsafe(void)
{
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < capture_count && thread_mode != CU_STREAM_CAPTURE_MODE_RELAXED; i++) {
        struct capture *capture = captures[i];
        bool own = pthread_equal(capture->thread, pthread_self()) && capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED;
        bool anybody = thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL && capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
        if (own || anybody)
            result = refuse(capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    }
    return result;
}

/* The legacy stream waits for all blocking streams: for a captured one it cannot. `context` NULL: of any context. */
static CUresult check_legacy(CUstream stream, const struct context *context)
{
    CUresult result = CUDA_SUCCESS;
    if (stream && stream != CU_STREAM_LEGACY)
        return result;
    for (size_t i = 0; i < streams.count; i++) {
        const struct frontier *captured = &streams.list[i];
        if ((!context || captured->capture->context == context) && stream_is_blocking(captured->handle))
            result = refuse(captured->capture, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    }
    return result;
}

/* ---- the port ---- */

static CUresult make_work(struct context *context, struct stream_work *asked, struct node_work *work)
{
    *work = (struct node_work){.type = asked->type, .context = context->handle};
    switch (asked->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: {
        CUresult result = kernel_launch_check(context, &asked->kernel);
        return result == CUDA_SUCCESS ? node_work_of_kernel(context->handle, &asked->kernel, work) : result;
    }
    case CU_GRAPH_NODE_TYPE_MEMCPY: {
        CUresult result = node_range_check_copy("A copy in a captured stream", &asked->copy);
        return result == CUDA_SUCCESS ? node_work_of_copy(context->handle, &asked->copy, work) : result;
    }
    case CU_GRAPH_NODE_TYPE_MEMSET: return node_work_of_fill(context->handle, &asked->fill, work);
    case CU_GRAPH_NODE_TYPE_HOST: return node_work_of_host(context->handle, &asked->host, work);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: {
        CUresult result = graph_memory_reserve(asked->memory.bytes, &asked->memory.address);
        work->allocation = (CUDA_MEM_ALLOC_NODE_PARAMS){
            .poolProps = {.allocType = 1, .location = {.type = 1}},
            .bytesize = asked->memory.bytes,
            .dptr = asked->memory.address,
        };
        return result;
    }
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        work->freed = asked->memory.address;
        return graph_memory_exists(work->freed) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    default: work->event = asked->event; return CUDA_SUCCESS;
    }
}

/* Adds a node behind the stream's others. */
static CUresult add(struct frontier *frontier, struct node_work *work)
{
    struct graph_node *node;
    CUresult result = graph_add(frontier->capture->graph, NULL, NULL, 0, work, NULL, &node);
    if (result != CUDA_SUCCESS)
        return result;
    for (size_t i = 0; i < frontier->nodes.count && result == CUDA_SUCCESS; i++)
        result = graph_connect(frontier->nodes.list[i].node, node, &frontier->nodes.list[i].data);
    frontier->nodes.count = 0;
    if (result == CUDA_SUCCESS && !include(&frontier->nodes, node, NULL))
        result = CUDA_ERROR_OUT_OF_MEMORY;
    return result;
}

/* The captured stream; NULL with SUCCESS when it is not captured. */
static CUresult enter_capture(CUstream stream, const struct context *context, struct frontier **frontier)
{
    *frontier = find(&streams, stream);
    if (!*frontier)
        return check_legacy(stream, context);
    return (*frontier)->capture->is_invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
}

/* No byte to copy or to set: an H200 makes no node of it. */
static bool is_nothing(const struct stream_work *asked)
{
    if (asked->type == CU_GRAPH_NODE_TYPE_MEMCPY)
        return asked->copy.WidthInBytes == 0;
    return asked->type == CU_GRAPH_NODE_TYPE_MEMSET && (asked->fill.width == 0 || asked->fill.height == 0);
}

static CUresult submit(CUstream stream, struct context *context, struct stream_work *asked, bool *recorded)
{
    struct frontier *frontier;
    CUresult result = enter_capture(stream, context, &frontier);
    *recorded = frontier != NULL;
    if (result == CUDA_SUCCESS && !frontier
        && (asked->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || asked->type == CU_GRAPH_NODE_TYPE_MEM_FREE))
        result = allow_unsafe();
    if (result != CUDA_SUCCESS || !frontier)
        return result;
    if (is_nothing(asked))
        return CUDA_SUCCESS;
    struct node_work work;
    result = make_work(context, asked, &work);
    if (result == CUDA_SUCCESS)
        return add(frontier, &work);
    return asked->type == CU_GRAPH_NODE_TYPE_KERNEL ? refuse(frontier->capture, result) : result;
}

/* An event of a capture that has ended or failed stands for nothing until it is recorded again. */
static bool is_stale(const struct frontier *event)
{
    return !event->capture || event->capture->is_invalid;
}

static CUresult add_event_node(struct frontier *frontier, const struct context *context, CUgraphNodeType type, CUevent event)
{
    struct node_work work = {.type = type, .context = context->handle, .event = event};
    return add(frontier, &work);
}

static CUresult record(CUstream stream, struct context *context, CUevent event, unsigned flags, bool *recorded)
{
    struct frontier *frontier;
    CUresult result = enter_capture(stream, context, &frontier);
    *recorded = frontier != NULL;
    if (result != CUDA_SUCCESS)
        return result;
    if (frontier && flags & CU_EVENT_RECORD_EXTERNAL)
        return add_event_node(frontier, context, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event);
    struct frontier *known = find(&events, event);
    if (!frontier) { /* it marks work that is done */
        if (known)
            take_out(&events, known);
        return CUDA_SUCCESS;
    }
    known = enter(&events, event, frontier->capture);
    return known ? include_all(&known->nodes, &frontier->nodes) : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult wait(CUstream stream, struct context *context, CUevent event, unsigned flags, bool *recorded)
{
    struct frontier *frontier;
    CUresult result = enter_capture(stream, context, &frontier);
    *recorded = frontier != NULL;
    if (result != CUDA_SUCCESS)
        return result;
    if (frontier && flags & CU_EVENT_WAIT_EXTERNAL)
        return add_event_node(frontier, context, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event);
    const struct frontier *known = find(&events, event);
    if (!known && !frontier)
        return CUDA_SUCCESS;
    if (!known) /* outside of captures, or never: that is nothing to wait for */
        return event_is_recorded(event) ? refuse(frontier->capture, CUDA_ERROR_STREAM_CAPTURE_ISOLATION) : CUDA_SUCCESS;
    if (is_stale(known))
        return CUDA_ERROR_INVALID_VALUE;
    if (frontier && frontier->capture != known->capture) {
        known->capture->is_invalid = true;
        return refuse(frontier->capture, CUDA_ERROR_STREAM_CAPTURE_MERGE);
    }
    if (!stream || stream == CU_STREAM_LEGACY)
        return refuse(known->capture, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    if (!frontier)
        frontier = enter(&streams, stream, known->capture);
    *recorded = true;
    return frontier ? include_all(&frontier->nodes, &known->nodes) : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult allow(enum capture_call call, CUstream stream)
{
    CUresult result = CUDA_SUCCESS;
    struct capture *capture = call == CAPTURE_CALL_STREAM ? capture_of(stream) : NULL;
    if (capture)
        return refuse(capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    if (call == CAPTURE_CALL_STREAM)
        result = check_legacy(stream, NULL);
    if (call == CAPTURE_CALL_ALL)
        for (size_t i = 0; i < capture_count; i++)
            result = refuse(captures[i], CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    return result == CUDA_SUCCESS ? allow_unsafe() : result;
}

static CUresult allow_event(CUevent event)
{
    const struct frontier *known = find(&events, event);
    if (known && is_stale(known))
        return CUDA_ERROR_INVALID_VALUE;
    return known ? refuse(known->capture, CUDA_ERROR_CAPTURED_EVENT) : allow_unsafe();
}

/* Can every node of a frontier be reached backwards from another frontier? */
static bool leads_to(const struct graph_edges *from, const struct graph_node *node, unsigned char *seen)
{
    for (size_t i = 0; i < from->count; i++) {
        const struct graph_node *at = from->list[i].node;
        if (at == node)
            return true;
        if (seen[at->position])
            continue;
        seen[at->position] = 1;
        if (leads_to(&at->before, node, seen))
            return true;
    }
    return false;
}

static bool is_joined(const struct frontier *origin, const struct frontier *other)
{
    size_t count = origin->capture->graph->node_count;
    unsigned char *seen = malloc(count + 1);
    bool joined = seen != NULL;
    for (size_t i = 0; i < other->nodes.count && joined; i++) {
        memset(seen, 0, count);
        joined = leads_to(&origin->nodes, other->nodes.list[i].node, seen);
    }
    free(seen);
    return joined;
}

static void forget_stream(CUstream stream)
{
    struct frontier *frontier = find(&streams, stream);
    if (!frontier)
        return;
    struct capture *capture = frontier->capture;
    if (capture->origin == stream) {
        finish(capture, false);
        return;
    }
    const struct frontier *origin = find(&streams, capture->origin);
    if (origin && !is_joined(origin, frontier))
        capture->has_orphans = true;
    take_out(&streams, frontier);
}

static void forget_event(CUevent event)
{
    struct frontier *known = find(&events, event);
    if (known)
        take_out(&events, known);
}

static bool is_captured(CUstream stream)
{
    return find(&streams, stream) != NULL;
}

static const struct capture_port port = {
    .is_captured = is_captured,
    .submit = submit,
    .record = record,
    .wait = wait,
    .allow = allow,
    .allow_event = allow_event,
    .forget_stream = forget_stream,
    .forget_event = forget_event,
};

/* ---- beginning and end ---- */

static struct capture *make(CUstream stream, CUstreamCaptureMode mode, const struct context *context, struct graph *graph)
{
    if (capture_count == capture_capacity) {
        size_t capacity = capture_capacity ? capture_capacity * 2 : 8;
        struct capture **grown = realloc(captures, capacity * sizeof(struct capture *));
        if (!grown)
            return NULL;
        captures = grown;
        capture_capacity = capacity;
    }
    struct capture *capture = calloc(1, sizeof *capture);
    if (!capture)
        return NULL;
    *capture = (struct capture){
        .id = ++last_id,
        .graph = graph ? graph : graph_create(),
        .owns_graph = !graph,
        .mode = mode,
        .thread = pthread_self(),
        .origin = stream,
        .context = context,
    };
    if (!capture->graph || !enter(&streams, stream, capture)) {
        if (capture->graph && capture->owns_graph)
            graph_destroy(capture->graph);
        free(capture);
        return NULL;
    }
    captures[capture_count++] = capture;
    return capture;
}

/* Are they nodes of the graph? */
static bool belong_to(const struct graph *graph, const CUgraphNode *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct graph_node *node = nodes ? graph_find_node(nodes[i]) : NULL;
        if (!node || node->graph != graph)
            return false;
    }
    return true;
}

CUresult capture_begin(CUstream stream, const struct context *context, CUstreamCaptureMode mode, struct graph *graph,
                       const CUgraphNode *before, const CUgraphEdgeData *data, size_t count)
{
    if (!stream || stream == CU_STREAM_LEGACY)
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if ((unsigned)mode > CU_STREAM_CAPTURE_MODE_RELAXED || !belong_to(graph, before, count))
        return CUDA_ERROR_INVALID_VALUE;
    if (capture_of(stream))
        return CUDA_ERROR_ILLEGAL_STATE;
    if (!make(stream, mode, context, graph))
        return CUDA_ERROR_OUT_OF_MEMORY;
    capture_port = &port;
    struct frontier *frontier = find(&streams, stream);
    for (size_t i = 0; i < count; i++)
        if (!include(&frontier->nodes, graph_find_node(before[i]), data ? &data[i] : NULL))
            return CUDA_ERROR_OUT_OF_MEMORY;
    return CUDA_SUCCESS;
}

CUresult capture_ask(CUstream stream)
{
    for (size_t i = 0; i < streams.count && (!stream || stream == CU_STREAM_LEGACY); i++)
        if (stream_is_blocking(streams.list[i].handle))
            return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    return CUDA_SUCCESS;
}

CUresult capture_allow_unsafe(void)
{
    return allow_unsafe();
}

CUresult capture_end(CUstream stream, struct graph **graph)
{
    *graph = NULL;
    const struct frontier *origin = find(&streams, stream);
    if (!origin)
        return CUDA_ERROR_ILLEGAL_STATE;
    struct capture *capture = origin->capture;
    if (capture->origin != stream)
        return refuse(capture, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
    CUresult result = capture->is_invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
    if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED && !pthread_equal(capture->thread, pthread_self()))
        result = CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    bool joined = !capture->has_orphans;
    for (size_t i = 0; i < streams.count && joined; i++)
        joined = streams.list[i].capture != capture || is_joined(origin, &streams.list[i]);
    if (result == CUDA_SUCCESS && !joined)
        result = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
    if (result == CUDA_SUCCESS)
        *graph = capture->graph;
    finish(capture, result == CUDA_SUCCESS);
    return result;
}

struct capture_state capture_get(CUstream stream)
{
    const struct frontier *frontier = find(&streams, stream);
    if (!frontier)
        return (struct capture_state){.status = CU_STREAM_CAPTURE_STATUS_NONE};
    const struct capture *capture = frontier->capture;
    return (struct capture_state){
        .status = capture->is_invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED : CU_STREAM_CAPTURE_STATUS_ACTIVE,
        .id = capture->id,
        .graph = capture->graph,
        .before = &frontier->nodes,
    };
}

CUresult capture_set_dependencies(CUstream stream, const CUgraphNode *before, const CUgraphEdgeData *data, size_t count,
                                  bool instead)
{
    struct frontier *frontier = find(&streams, stream);
    if (!frontier)
        return CUDA_ERROR_ILLEGAL_STATE;
    if (frontier->capture->is_invalid)
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (!belong_to(frontier->capture->graph, before, count))
        return CUDA_ERROR_INVALID_VALUE;
    if (instead)
        frontier->nodes.count = 0;
    for (size_t i = 0; i < count; i++)
        if (!include(&frontier->nodes, graph_find_node(before[i]), data ? &data[i] : NULL))
            return CUDA_ERROR_OUT_OF_MEMORY;
    return CUDA_SUCCESS;
}

CUstreamCaptureMode capture_exchange_mode(CUstreamCaptureMode mode)
{
    CUstreamCaptureMode previous = thread_mode;
    thread_mode = mode;
    return previous;
}
