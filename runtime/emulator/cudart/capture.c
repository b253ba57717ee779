/* Entry points: stream capture. */
#include <stdint.h>

#include "runtime/emulator/cudart/runtime.h"

cudaError_t cudaStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode)
{
    RUNTIME_CALL(cuStreamBeginCapture_v2(stream, mode));
}
RUNTIME_SAME(cudaStreamBeginCapture_ptsz, cudaStreamBeginCapture);

cudaError_t cudaStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode *before,
                                          const CUgraphEdgeData *data, size_t count, CUstreamCaptureMode mode)
{
    RUNTIME_CALL(cuStreamBeginCaptureToGraph(stream, graph, before, data, count, mode));
}
RUNTIME_SAME(cudaStreamBeginCaptureToGraph_ptsz, cudaStreamBeginCaptureToGraph);

cudaError_t cudaStreamEndCapture(CUstream stream, CUgraph *graph)
{
    RUNTIME_CALL(cuStreamEndCapture(stream, graph));
}
RUNTIME_SAME(cudaStreamEndCapture_ptsz, cudaStreamEndCapture);

cudaError_t cudaThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    RUNTIME_CALL(cuThreadExchangeStreamCaptureMode(mode));
}

#if CUDART_MAJOR >= 13
cudaError_t cudaStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, unsigned long long *id, CUgraph *graph,
                                     const CUgraphNode **before, const CUgraphEdgeData **data, size_t *count)
{
    RUNTIME_CALL(cuStreamGetCaptureInfo_v3(stream, status, (uint64_t *)id, graph, before, data, count));
}
RUNTIME_SAME(cudaStreamGetCaptureInfo_ptsz, cudaStreamGetCaptureInfo);

cudaError_t cudaStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *before, const CUgraphEdgeData *data,
                                                size_t count, unsigned flags)
{
    RUNTIME_CALL(cuStreamUpdateCaptureDependencies_v2(stream, before, data, count, flags));
}
RUNTIME_SAME(cudaStreamUpdateCaptureDependencies_ptsz, cudaStreamUpdateCaptureDependencies);

#else
cudaError_t cudaStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *status, unsigned long long *id,
                                        CUgraph *graph, const CUgraphNode **before, const CUgraphEdgeData **data,
                                        size_t *count)
{
    RUNTIME_CALL(cuStreamGetCaptureInfo_v3(stream, status, (uint64_t *)id, graph, before, data, count));
}
RUNTIME_SAME(cudaStreamGetCaptureInfo_v3_ptsz, cudaStreamGetCaptureInfo_v3);

cudaError_t cudaStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *status, unsigned long long *id,
                                        CUgraph *graph, const CUgraphNode **before, size_t *count)
{
    RUNTIME_CALL(cuStreamGetCaptureInfo_v2(stream, status, (uint64_t *)id, graph, before, count));
}
RUNTIME_SAME(cudaStreamGetCaptureInfo_v2_ptsz, cudaStreamGetCaptureInfo_v2);

cudaError_t cudaStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, unsigned long long *id)
{
    RUNTIME_CALL(cuStreamGetCaptureInfo(stream, status, (uint64_t *)id));
}
RUNTIME_SAME(cudaStreamGetCaptureInfo_ptsz, cudaStreamGetCaptureInfo);

cudaError_t cudaStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *before, const CUgraphEdgeData *data,
                                                   size_t count, unsigned flags)
{
    RUNTIME_CALL(cuStreamUpdateCaptureDependencies_v2(stream, before, data, count, flags));
}
RUNTIME_SAME(cudaStreamUpdateCaptureDependencies_v2_ptsz, cudaStreamUpdateCaptureDependencies_v2);

cudaError_t cudaStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *before, size_t count, unsigned flags)
{
    RUNTIME_CALL(cuStreamUpdateCaptureDependencies(stream, before, count, flags));
}
RUNTIME_SAME(cudaStreamUpdateCaptureDependencies_ptsz, cudaStreamUpdateCaptureDependencies);

#endif
