/* Entry points: streams and events. */
#include "runtime/emulator/cudart/runtime.h"

cudaError_t cudaStreamCreate(CUstream *stream)
{
    RUNTIME_CALL(cuStreamCreate(stream, 0));
}

cudaError_t cudaStreamCreateWithFlags(CUstream *stream, unsigned flags)
{
    RUNTIME_CALL(cuStreamCreate(stream, flags));
}

cudaError_t cudaStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority)
{
    RUNTIME_CALL(cuStreamCreateWithPriority(stream, flags, priority));
}

cudaError_t cudaStreamDestroy(CUstream stream)
{
    RUNTIME_CALL(cuStreamDestroy_v2(stream));
}

cudaError_t cudaStreamSynchronize(CUstream stream)
{
    RUNTIME_CALL(cuStreamSynchronize(stream));
}
RUNTIME_SAME(cudaStreamSynchronize_ptsz, cudaStreamSynchronize);

cudaError_t cudaStreamQuery(CUstream stream)
{
    RUNTIME_CALL(cuStreamQuery(stream));
}
RUNTIME_SAME(cudaStreamQuery_ptsz, cudaStreamQuery);

cudaError_t cudaStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    RUNTIME_CALL(cuStreamWaitEvent(stream, event, flags));
}
RUNTIME_SAME(cudaStreamWaitEvent_ptsz, cudaStreamWaitEvent);

cudaError_t cudaStreamGetFlags(CUstream stream, unsigned *flags)
{
    RUNTIME_CALL(cuStreamGetFlags(stream, flags));
}
RUNTIME_SAME(cudaStreamGetFlags_ptsz, cudaStreamGetFlags);

cudaError_t cudaStreamGetPriority(CUstream stream, int *priority)
{
    RUNTIME_CALL(cuStreamGetPriority(stream, priority));
}
RUNTIME_SAME(cudaStreamGetPriority_ptsz, cudaStreamGetPriority);

cudaError_t cudaStreamGetAttribute(CUstream stream, CUlaunchAttributeID attribute, CUlaunchAttributeValue *value)
{
    RUNTIME_CALL(cuStreamGetAttribute(stream, attribute, value));
}
RUNTIME_SAME(cudaStreamGetAttribute_ptsz, cudaStreamGetAttribute);

cudaError_t cudaStreamSetAttribute(CUstream stream, CUlaunchAttributeID attribute, const CUlaunchAttributeValue *value)
{
    RUNTIME_CALL(cuStreamSetAttribute(stream, attribute, value));
}
RUNTIME_SAME(cudaStreamSetAttribute_ptsz, cudaStreamSetAttribute);

cudaError_t cudaStreamCopyAttributes(CUstream target, CUstream source)
{
    RUNTIME_CALL(cuStreamCopyAttributes(target, source));
}
RUNTIME_SAME(cudaStreamCopyAttributes_ptsz, cudaStreamCopyAttributes);

cudaError_t cudaStreamGetId(CUstream stream, unsigned long long *id)
{
    RUNTIME_CALL(cuStreamGetId(stream, id));
}
RUNTIME_SAME(cudaStreamGetId_ptsz, cudaStreamGetId);

cudaError_t cudaStreamGetDevice(CUstream stream, int *device)
{
    RUNTIME_CALL(cuStreamGetDevice(stream, device));
}
RUNTIME_SAME(cudaStreamGetDevice_ptsz, cudaStreamGetDevice);

cudaError_t cudaStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
    RUNTIME_CALL(cuStreamIsCapturing(stream, status));
}
RUNTIME_SAME(cudaStreamIsCapturing_ptsz, cudaStreamIsCapturing);

cudaError_t cudaEventCreateWithFlags(CUevent *event, unsigned flags)
{
    RUNTIME_CALL(cuEventCreate(event, flags));
}

cudaError_t cudaEventCreate(CUevent *event)
{
    return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventDestroy(CUevent event)
{
    RUNTIME_CALL(cuEventDestroy_v2(event));
}

cudaError_t cudaEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags)
{
    RUNTIME_CALL(cuEventRecordWithFlags(event, stream, flags));
}
RUNTIME_SAME(cudaEventRecordWithFlags_ptsz, cudaEventRecordWithFlags);

cudaError_t cudaEventRecord(CUevent event, CUstream stream)
{
    return cudaEventRecordWithFlags(event, stream, 0);
}
RUNTIME_SAME(cudaEventRecord_ptsz, cudaEventRecord);

cudaError_t cudaEventQuery(CUevent event)
{
    RUNTIME_CALL(cuEventQuery(event));
}

cudaError_t cudaEventSynchronize(CUevent event)
{
    RUNTIME_CALL(cuEventSynchronize(event));
}

cudaError_t cudaEventElapsedTime(float *milliseconds, CUevent start, CUevent stop)
{
    if (!milliseconds)
        return runtime_fail(cudaErrorInvalidValue);
    RUNTIME_CALL(cuEventElapsedTime(milliseconds, start, stop));
}
#if CUDART_MAJOR < 13
RUNTIME_SAME(cudaEventElapsedTime_v2, cudaEventElapsedTime);
#endif
