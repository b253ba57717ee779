/* Entry points: stream capture. */
#include <stdlib.h>

#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/stream.h"
#include "runtime/emulator/graph/capture.h"

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode)
{
    struct context *context;
    CUresult result = stream_enter(stream, &context);
    return driver_leave(result == CUDA_SUCCESS ? capture_begin(stream, context, mode, NULL, NULL, NULL, 0) : result);
}
DRIVER_SAME(cuStreamBeginCapture_v2_ptsz, cuStreamBeginCapture_v2);

CUresult cuStreamBeginCapture(CUstream stream)
{
    return cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}
DRIVER_SAME(cuStreamBeginCapture_ptsz, cuStreamBeginCapture);

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph handle, const CUgraphNode *dependencies,
                                     const CUgraphEdgeData *data, size_t count, CUstreamCaptureMode mode)
{
    struct context *context;
    CUresult result = stream_enter(stream, &context);
    struct graph *graph = result == CUDA_SUCCESS ? graph_find(handle) : NULL;
    if (result == CUDA_SUCCESS && !graph)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = capture_begin(stream, context, mode, graph, dependencies, data, count);
    return driver_leave(result);
}
DRIVER_SAME(cuStreamBeginCaptureToGraph_ptsz, cuStreamBeginCaptureToGraph);

CUresult cuStreamEndCapture(CUstream stream, CUgraph *handle)
{
    struct context *context;
    struct graph *graph;
    CUresult result = stream_enter(stream, &context);
    if (result == CUDA_SUCCESS) {
        result = capture_end(stream, &graph);
        if (handle)
            *handle = graph ? graph->handle : NULL;
        else if (graph) /* nobody asked for it */
            graph_destroy(graph);
    }
    return driver_leave(result);
}
DRIVER_SAME(cuStreamEndCapture_ptsz, cuStreamEndCapture);

/* Enters and looks the capture up. */
static CUresult enter(CUstream stream, const void *output, struct capture_state *state)
{
    struct context *context;
    CUresult result = stream_enter(stream, &context);
    if (result == CUDA_SUCCESS && !output)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = capture_ask(stream);
    if (result == CUDA_SUCCESS)
        *state = capture_get(stream);
    return result;
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
    struct capture_state state;
    CUresult result = enter(stream, status, &state);
    if (result == CUDA_SUCCESS)
        *status = state.status;
    return driver_leave(result);
}
DRIVER_SAME(cuStreamIsCapturing_ptsz, cuStreamIsCapturing);

/* Dependencies as arrays that stay valid until the thread's next call; NULL when out of memory or empty. */
static __thread CUgraphNode *told_nodes;
static __thread CUgraphEdgeData *told_data;

static CUresult tell_dependencies(const struct graph_edges *before)
{
    CUgraphNode *nodes = realloc(told_nodes, (before->count + 1) * sizeof(CUgraphNode));
    if (!nodes)
        return CUDA_ERROR_OUT_OF_MEMORY;
    told_nodes = nodes;
    CUgraphEdgeData *data = realloc(told_data, (before->count + 1) * sizeof *data);
    if (!data)
        return CUDA_ERROR_OUT_OF_MEMORY;
    told_data = data;
    for (size_t i = 0; i < before->count; i++) {
        nodes[i] = before->list[i].node->handle;
        data[i] = before->list[i].data;
    }
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *status, uint64_t *id, CUgraph *graph,
                                   const CUgraphNode **dependencies, const CUgraphEdgeData **data, size_t *count)
{
    struct capture_state state;
    CUresult result = enter(stream, status, &state);
    if (result == CUDA_SUCCESS)
        *status = state.status;
    if (result != CUDA_SUCCESS || state.status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
        return driver_leave(result);
    result = tell_dependencies(state.before);
    if (id)
        *id = state.id;
    if (graph)
        *graph = state.graph->handle;
    if (dependencies)
        *dependencies = told_nodes;
    if (data)
        *data = told_data;
    if (count)
        *count = state.before->count;
    return driver_leave(result);
}
DRIVER_SAME(cuStreamGetCaptureInfo_v3_ptsz, cuStreamGetCaptureInfo_v3);

CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *status, uint64_t *id, CUgraph *graph,
                                   const CUgraphNode **dependencies, size_t *count)
{
    return cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, NULL, count);
}
DRIVER_SAME(cuStreamGetCaptureInfo_v2_ptsz, cuStreamGetCaptureInfo_v2);

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, uint64_t *id)
{
    return cuStreamGetCaptureInfo_v3(stream, status, id, NULL, NULL, NULL, NULL);
}
DRIVER_SAME(cuStreamGetCaptureInfo_ptsz, cuStreamGetCaptureInfo);

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *dependencies, const CUgraphEdgeData *data,
                                              size_t count, unsigned flags)
{
    struct context *context;
    CUresult result = stream_enter(stream, &context);
    if (result == CUDA_SUCCESS && flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = capture_set_dependencies(stream, dependencies, data, count, flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES);
    return driver_leave(result);
}
DRIVER_SAME(cuStreamUpdateCaptureDependencies_v2_ptsz, cuStreamUpdateCaptureDependencies_v2);

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies, size_t count, unsigned flags)
{
    return cuStreamUpdateCaptureDependencies_v2(stream, dependencies, NULL, count, flags);
}
DRIVER_SAME(cuStreamUpdateCaptureDependencies_ptsz, cuStreamUpdateCaptureDependencies);

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    if (!mode || (unsigned)*mode > CU_STREAM_CAPTURE_MODE_RELAXED)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS)
        *mode = capture_exchange_mode(*mode);
    return driver_leave(result);
}
