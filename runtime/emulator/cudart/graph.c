/* Entry points: graphs. The runtime differs from the driver in how it names kernels and variables, by host addresses, and
 * in how it describes copies. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "runtime/emulator/cudart/registry.h"
#include "runtime/emulator/cudart/runtime.h"

/* ---- parameters in the driver's form ---- */

static cudaError_t kernel_of(const cudaKernelNodeParams *wanted, CUDA_KERNEL_NODE_PARAMS *kernel)
{
    CUfunction function;
    if (!wanted)
        return cudaErrorInvalidValue;
    cudaError_t error = registry_get_kernel(wanted->func, &function);
    if (error != cudaSuccess)
        return error;
    *kernel = (CUDA_KERNEL_NODE_PARAMS){
        .func = function,
        .gridDimX = wanted->gridDim.x,
        .gridDimY = wanted->gridDim.y,
        .gridDimZ = wanted->gridDim.z,
        .blockDimX = wanted->blockDim.x,
        .blockDimY = wanted->blockDim.y,
        .blockDimZ = wanted->blockDim.z,
        .sharedMemBytes = wanted->sharedMemBytes,
        .kernelParams = wanted->kernelParams,
        .extra = wanted->extra,
    };
    return cudaSuccess;
}

static CUmemorytype type_of(cudaMemcpyKind kind, bool is_source)
{
    switch (kind) {
    case cudaMemcpyHostToHost: return CU_MEMORYTYPE_HOST;
    case cudaMemcpyHostToDevice: return is_source ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    case cudaMemcpyDeviceToHost: return is_source ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
    case cudaMemcpyDeviceToDevice: return CU_MEMORYTYPE_DEVICE;
    default: return CU_MEMORYTYPE_UNIFIED;
    }
}

static cudaError_t copy_of(const cudaMemcpy3DParms *wanted, CUDA_MEMCPY3D *copy)
{
    if (!wanted)
        return cudaErrorInvalidValue;
    if ((unsigned)wanted->kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (wanted->srcArray || wanted->dstArray)
        return cudaErrorNotSupported;
    *copy = (CUDA_MEMCPY3D){
        .srcXInBytes = wanted->srcPos.x,
        .srcY = wanted->srcPos.y,
        .srcZ = wanted->srcPos.z,
        .srcMemoryType = type_of(wanted->kind, true),
        .srcPitch = wanted->srcPtr.pitch,
        .srcHeight = wanted->srcPtr.ysize,
        .dstXInBytes = wanted->dstPos.x,
        .dstY = wanted->dstPos.y,
        .dstZ = wanted->dstPos.z,
        .dstMemoryType = type_of(wanted->kind, false),
        .dstPitch = wanted->dstPtr.pitch,
        .dstHeight = wanted->dstPtr.ysize,
        .WidthInBytes = wanted->extent.width,
        .Height = wanted->extent.height,
        .Depth = wanted->extent.depth,
    };
    if (copy->srcMemoryType == CU_MEMORYTYPE_HOST)
        copy->srcHost = wanted->srcPtr.ptr;
    else
        copy->srcDevice = (CUdeviceptr)(uintptr_t)wanted->srcPtr.ptr;
    if (copy->dstMemoryType == CU_MEMORYTYPE_HOST)
        copy->dstHost = wanted->dstPtr.ptr;
    else
        copy->dstDevice = (CUdeviceptr)(uintptr_t)wanted->dstPtr.ptr;
    return cudaSuccess;
}

static cudaMemcpy3DParms row_of(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return (cudaMemcpy3DParms){
        .srcPtr = {(void *)(uintptr_t)from, bytes, bytes, 1},
        .dstPtr = {to, bytes, bytes, 1},
        .extent = {bytes, 1, 1},
        .kind = kind,
    };
}

/* The address `offset` bytes into a variable from which `bytes` can be accessed. */
static cudaError_t find_in_symbol(const void *symbol, size_t bytes, size_t offset, void **address)
{
    CUdeviceptr start;
    size_t size, end;
    cudaError_t error = registry_get_variable(symbol, &start, &size);
    if (error == cudaSuccess && (__builtin_add_overflow(offset, bytes, &end) || end > size))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *address = (void *)(start + offset);
    return error;
}

static cudaError_t row_to_symbol(const void *symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                 cudaMemcpy3DParms *row)
{
    void *to = NULL;
    cudaError_t error = find_in_symbol(symbol, bytes, offset, &to);
    *row = row_of(to, from, bytes, kind);
    return error;
}

static cudaError_t row_from_symbol(void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                   cudaMemcpy3DParms *row)
{
    void *from = NULL;
    cudaError_t error = find_in_symbol(symbol, bytes, offset, &from);
    *row = row_of(to, from, bytes, kind);
    return error;
}

/* A node of any kind. */
static cudaError_t node_of(const cudaGraphNodeParams *wanted, CUgraphNodeParams *node)
{
    if (!wanted)
        return cudaErrorInvalidValue;
    *node = (CUgraphNodeParams){.type = wanted->type};
    switch (wanted->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return kernel_of(&wanted->kernel, &node->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY: return copy_of(&wanted->memcpy.copyParams, &node->memcpy.copyParams);
    default: memcpy(node, wanted, sizeof *node); return cudaSuccess;
    }
}

/* Enters; the code of a failure is remembered for cudaGetLastError. */
static cudaError_t enter(void)
{
    return (cudaError_t)runtime_enter();
}

/* ---- adding nodes ---- */

cudaError_t cudaGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                                   const cudaKernelNodeParams *wanted)
{
    CUDA_KERNEL_NODE_PARAMS kernel;
    cudaError_t error = enter();
    if (error == cudaSuccess)
        error = kernel_of(wanted, &kernel);
    return error == cudaSuccess ? runtime_leave(cuGraphAddKernelNode_v2(node, graph, before, count, &kernel))
                                : runtime_fail(error);
}

cudaError_t cudaGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                                   const cudaMemcpy3DParms *wanted)
{
    CUDA_MEMCPY3D copy;
    cudaError_t error = enter();
    if (error == cudaSuccess)
        error = copy_of(wanted, &copy);
    return error == cudaSuccess ? runtime_leave(cuGraphAddMemcpyNode(node, graph, before, count, &copy, NULL))
                                : runtime_fail(error);
}

cudaError_t cudaGraphAddMemcpyNode1D(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count, void *to,
                                     const void *from, size_t bytes, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms row = row_of(to, from, bytes, kind);
    return cudaGraphAddMemcpyNode(node, graph, before, count, &row);
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                                           const void *symbol, const void *from, size_t bytes, size_t offset,
                                           cudaMemcpyKind kind)
{
    cudaMemcpy3DParms row;
    cudaError_t error = enter();
    if (error == cudaSuccess)
        error = row_to_symbol(symbol, from, bytes, offset, kind, &row);
    return error == cudaSuccess ? cudaGraphAddMemcpyNode(node, graph, before, count, &row) : runtime_fail(error);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                                             void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms row;
    cudaError_t error = enter();
    if (error == cudaSuccess)
        error = row_from_symbol(to, symbol, bytes, offset, kind, &row);
    return error == cudaSuccess ? cudaGraphAddMemcpyNode(node, graph, before, count, &row) : runtime_fail(error);
}

cudaError_t cudaGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                                   const CUDA_MEMSET_NODE_PARAMS *wanted)
{
    RUNTIME_CALL(cuGraphAddMemsetNode(node, graph, before, count, wanted, NULL));
}

cudaError_t cudaGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                                 const CUDA_HOST_NODE_PARAMS *wanted)
{
    RUNTIME_CALL(cuGraphAddHostNode(node, graph, before, count, wanted));
}

cudaError_t cudaGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count)
{
    RUNTIME_CALL(cuGraphAddEmptyNode(node, graph, before, count));
}

cudaError_t cudaGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                                       CUgraph child)
{
    RUNTIME_CALL(cuGraphAddChildGraphNode(node, graph, before, count, child));
}

cudaError_t cudaGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                                        CUevent event)
{
    RUNTIME_CALL(cuGraphAddEventRecordNode(node, graph, before, count, event));
}

cudaError_t cudaGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                                      CUevent event)
{
    RUNTIME_CALL(cuGraphAddEventWaitNode(node, graph, before, count, event));
}

cudaError_t cudaGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                                     CUDA_MEM_ALLOC_NODE_PARAMS *wanted)
{
    RUNTIME_CALL(cuGraphAddMemAllocNode(node, graph, before, count, wanted));
}

cudaError_t cudaGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count, void *address)
{
    RUNTIME_CALL(cuGraphAddMemFreeNode(node, graph, before, count, (CUdeviceptr)(uintptr_t)address));
}

static cudaError_t add_any(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, const CUgraphEdgeData *data,
                           size_t count, cudaGraphNodeParams *wanted)
{
    CUgraphNodeParams any;
    cudaError_t error = enter();
    if (error == cudaSuccess)
        error = node_of(wanted, &any);
    if (error != cudaSuccess)
        return runtime_fail(error);
    CUresult result = cuGraphAddNode_v2(node, graph, before, data, count, &any);
    if (result == CUDA_SUCCESS && wanted->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        wanted->alloc.dptr = any.alloc.dptr;
    return runtime_leave(result);
}

/* CUDA 13 gave the names of the older forms to those with data of dependencies. */
#if CUDART_MAJOR >= 13
cudaError_t cudaGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, const CUgraphEdgeData *data,
                             size_t count, cudaGraphNodeParams *wanted)
{
    return add_any(node, graph, before, data, count, wanted);
}

cudaError_t cudaGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                     const CUgraphEdgeData *data, size_t count)
{
    RUNTIME_CALL(cuGraphAddDependencies_v2(graph, from, to, data, count));
}

cudaError_t cudaGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                        const CUgraphEdgeData *data, size_t count)
{
    RUNTIME_CALL(cuGraphRemoveDependencies_v2(graph, from, to, data, count));
}

cudaError_t cudaGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *count)
{
    RUNTIME_CALL(cuGraphGetEdges_v2(graph, from, to, data, count));
}

cudaError_t cudaGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count)
{
    RUNTIME_CALL(cuGraphNodeGetDependencies_v2(node, nodes, data, count));
}

cudaError_t cudaGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count)
{
    RUNTIME_CALL(cuGraphNodeGetDependentNodes_v2(node, nodes, data, count));
}

#else
cudaError_t cudaGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, const CUgraphEdgeData *data,
                                size_t count, cudaGraphNodeParams *wanted)
{
    return add_any(node, graph, before, data, count, wanted);
}

cudaError_t cudaGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                             cudaGraphNodeParams *wanted)
{
    return add_any(node, graph, before, NULL, count, wanted);
}

cudaError_t cudaGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                        const CUgraphEdgeData *data, size_t count)
{
    RUNTIME_CALL(cuGraphAddDependencies_v2(graph, from, to, data, count));
}

cudaError_t cudaGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
    RUNTIME_CALL(cuGraphAddDependencies(graph, from, to, count));
}

cudaError_t cudaGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                           const CUgraphEdgeData *data, size_t count)
{
    RUNTIME_CALL(cuGraphRemoveDependencies_v2(graph, from, to, data, count));
}

cudaError_t cudaGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
    RUNTIME_CALL(cuGraphRemoveDependencies(graph, from, to, count));
}

cudaError_t cudaGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *count)
{
    RUNTIME_CALL(cuGraphGetEdges_v2(graph, from, to, data, count));
}

cudaError_t cudaGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count)
{
    RUNTIME_CALL(cuGraphGetEdges(graph, from, to, count));
}

cudaError_t cudaGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count)
{
    RUNTIME_CALL(cuGraphNodeGetDependencies_v2(node, nodes, data, count));
}

cudaError_t cudaGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, size_t *count)
{
    RUNTIME_CALL(cuGraphNodeGetDependencies(node, nodes, count));
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count)
{
    RUNTIME_CALL(cuGraphNodeGetDependentNodes_v2(node, nodes, data, count));
}

cudaError_t cudaGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *count)
{
    RUNTIME_CALL(cuGraphNodeGetDependentNodes(node, nodes, count));
}

#endif

/* ---- graphs and nodes ---- */

cudaError_t cudaGraphCreate(CUgraph *graph, unsigned flags)
{
    RUNTIME_CALL(cuGraphCreate(graph, flags));
}

cudaError_t cudaGraphDestroy(CUgraph graph)
{
    RUNTIME_CALL(cuGraphDestroy(graph));
}

cudaError_t cudaGraphClone(CUgraph *clone, CUgraph graph)
{
    RUNTIME_CALL(cuGraphClone(clone, graph));
}

cudaError_t cudaGraphNodeFindInClone(CUgraphNode *found, CUgraphNode original, CUgraph clone)
{
    RUNTIME_CALL(cuGraphNodeFindInClone(found, original, clone));
}

cudaError_t cudaGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type)
{
    RUNTIME_CALL(cuGraphNodeGetType(node, type));
}

cudaError_t cudaGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
    RUNTIME_CALL(cuGraphGetNodes(graph, nodes, count));
}

cudaError_t cudaGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
    RUNTIME_CALL(cuGraphGetRootNodes(graph, nodes, count));
}

cudaError_t cudaGraphDestroyNode(CUgraphNode node)
{
    RUNTIME_CALL(cuGraphDestroyNode(node));
}

cudaError_t cudaGraphDebugDotPrint(CUgraph graph, const char *path, unsigned flags)
{
    RUNTIME_CALL(cuGraphDebugDotPrint(graph, path, flags));
}

cudaError_t cudaUserObjectCreate(CUuserObject *object, void *data, CUhostFn destroy, unsigned references, unsigned flags)
{
    RUNTIME_CALL(cuUserObjectCreate(object, data, destroy, references, flags));
}

cudaError_t cudaUserObjectRetain(CUuserObject object, unsigned count)
{
    RUNTIME_CALL(cuUserObjectRetain(object, count));
}

cudaError_t cudaUserObjectRelease(CUuserObject object, unsigned count)
{
    RUNTIME_CALL(cuUserObjectRelease(object, count));
}

cudaError_t cudaGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count, unsigned flags)
{
    RUNTIME_CALL(cuGraphRetainUserObject(graph, object, count, flags));
}

cudaError_t cudaGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count)
{
    RUNTIME_CALL(cuGraphReleaseUserObject(graph, object, count));
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, CUgraphMem_attribute attribute, void *value)
{
    RUNTIME_CALL(cuDeviceGetGraphMemAttribute(device, attribute, value));
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, CUgraphMem_attribute attribute, void *value)
{
    RUNTIME_CALL(cuDeviceSetGraphMemAttribute(device, attribute, value));
}

cudaError_t cudaDeviceGraphMemTrim(int device)
{
    RUNTIME_CALL(cuDeviceGraphMemTrim(device));
}

/* ---- parameters of nodes ---- */

cudaError_t cudaGraphKernelNodeGetParams(CUgraphNode node, cudaKernelNodeParams *parameters)
{
    CUDA_KERNEL_NODE_PARAMS kernel;
    if (!parameters)
        return runtime_fail(cudaErrorInvalidValue);
    CUresult result = runtime_enter();
    if (result == CUDA_SUCCESS)
        result = cuGraphKernelNodeGetParams_v2(node, &kernel);
    if (result == CUDA_SUCCESS)
        *parameters = (cudaKernelNodeParams){
            .func = (void *)(uintptr_t)registry_find_host(kernel.func),
            .gridDim = {kernel.gridDimX, kernel.gridDimY, kernel.gridDimZ},
            .blockDim = {kernel.blockDimX, kernel.blockDimY, kernel.blockDimZ},
            .sharedMemBytes = kernel.sharedMemBytes,
            .kernelParams = kernel.kernelParams,
            .extra = kernel.extra,
        };
    return runtime_leave(result);
}

cudaError_t cudaGraphKernelNodeSetParams(CUgraphNode node, const cudaKernelNodeParams *wanted)
{
    CUDA_KERNEL_NODE_PARAMS kernel;
    cudaError_t error = enter();
    if (error == cudaSuccess)
        error = kernel_of(wanted, &kernel);
    return error == cudaSuccess ? runtime_leave(cuGraphKernelNodeSetParams_v2(node, &kernel)) : runtime_fail(error);
}

cudaError_t cudaGraphExecKernelNodeSetParams(CUgraphExec executable, CUgraphNode node, const cudaKernelNodeParams *wanted)
{
    CUDA_KERNEL_NODE_PARAMS kernel;
    cudaError_t error = enter();
    if (error == cudaSuccess)
        error = kernel_of(wanted, &kernel);
    return error == cudaSuccess ? runtime_leave(cuGraphExecKernelNodeSetParams_v2(executable, node, &kernel))
                                : runtime_fail(error);
}

cudaError_t cudaGraphKernelNodeCopyAttributes(CUgraphNode target, CUgraphNode source)
{
    RUNTIME_CALL(cuGraphKernelNodeCopyAttributes(target, source));
}

cudaError_t cudaGraphKernelNodeGetAttribute(CUgraphNode node, CUlaunchAttributeID attribute, CUlaunchAttributeValue *value)
{
    RUNTIME_CALL(cuGraphKernelNodeGetAttribute(node, attribute, value));
}

cudaError_t cudaGraphKernelNodeSetAttribute(CUgraphNode node, CUlaunchAttributeID attribute,
                                            const CUlaunchAttributeValue *value)
{
    RUNTIME_CALL(cuGraphKernelNodeSetAttribute(node, attribute, value));
}

static cudaMemcpyKind kind_of(const CUDA_MEMCPY3D *copy)
{
    if (copy->srcMemoryType == CU_MEMORYTYPE_UNIFIED || copy->dstMemoryType == CU_MEMORYTYPE_UNIFIED)
        return cudaMemcpyDefault;
    if (copy->srcMemoryType == CU_MEMORYTYPE_HOST)
        return copy->dstMemoryType == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
    return copy->dstMemoryType == CU_MEMORYTYPE_HOST ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

cudaError_t cudaGraphMemcpyNodeGetParams(CUgraphNode node, cudaMemcpy3DParms *parameters)
{
    CUDA_MEMCPY3D copy;
    if (!parameters)
        return runtime_fail(cudaErrorInvalidValue);
    CUresult result = runtime_enter();
    if (result == CUDA_SUCCESS)
        result = cuGraphMemcpyNodeGetParams(node, &copy);
    if (result != CUDA_SUCCESS)
        return runtime_leave(result);
    void *from = copy.srcMemoryType == CU_MEMORYTYPE_HOST ? (void *)(uintptr_t)copy.srcHost : (void *)copy.srcDevice;
    void *to = copy.dstMemoryType == CU_MEMORYTYPE_HOST ? copy.dstHost : (void *)copy.dstDevice;
    *parameters = (cudaMemcpy3DParms){
        .srcPos = {copy.srcXInBytes, copy.srcY, copy.srcZ},
        .srcPtr = {from, copy.srcPitch, copy.WidthInBytes, copy.srcHeight},
        .dstPos = {copy.dstXInBytes, copy.dstY, copy.dstZ},
        .dstPtr = {to, copy.dstPitch, copy.WidthInBytes, copy.dstHeight},
        .extent = {copy.WidthInBytes, copy.Height, copy.Depth},
        .kind = kind_of(&copy),
    };
    return cudaSuccess;
}

cudaError_t cudaGraphMemcpyNodeSetParams(CUgraphNode node, const cudaMemcpy3DParms *wanted)
{
    CUDA_MEMCPY3D copy;
    cudaError_t error = enter();
    if (error == cudaSuccess)
        error = copy_of(wanted, &copy);
    return error == cudaSuccess ? runtime_leave(cuGraphMemcpyNodeSetParams(node, &copy)) : runtime_fail(error);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(CUgraphNode node, void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms row = row_of(to, from, bytes, kind);
    return cudaGraphMemcpyNodeSetParams(node, &row);
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(CUgraphNode node, const void *symbol, const void *from, size_t bytes,
                                                 size_t offset, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms row;
    cudaError_t error = enter();
    if (error == cudaSuccess)
        error = row_to_symbol(symbol, from, bytes, offset, kind, &row);
    return error == cudaSuccess ? cudaGraphMemcpyNodeSetParams(node, &row) : runtime_fail(error);
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(CUgraphNode node, void *to, const void *symbol, size_t bytes,
                                                   size_t offset, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms row;
    cudaError_t error = enter();
    if (error == cudaSuccess)
        error = row_from_symbol(to, symbol, bytes, offset, kind, &row);
    return error == cudaSuccess ? cudaGraphMemcpyNodeSetParams(node, &row) : runtime_fail(error);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(CUgraphExec executable, CUgraphNode node, const cudaMemcpy3DParms *wanted)
{
    CUDA_MEMCPY3D copy;
    cudaError_t error = enter();
    if (error == cudaSuccess)
        error = copy_of(wanted, &copy);
    return error == cudaSuccess ? runtime_leave(cuGraphExecMemcpyNodeSetParams(executable, node, &copy, NULL))
                                : runtime_fail(error);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(CUgraphExec executable, CUgraphNode node, void *to, const void *from,
                                               size_t bytes, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms row = row_of(to, from, bytes, kind);
    return cudaGraphExecMemcpyNodeSetParams(executable, node, &row);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(CUgraphExec executable, CUgraphNode node, const void *symbol,
                                                     const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms row;
    cudaError_t error = enter();
    if (error == cudaSuccess)
        error = row_to_symbol(symbol, from, bytes, offset, kind, &row);
    return error == cudaSuccess ? cudaGraphExecMemcpyNodeSetParams(executable, node, &row) : runtime_fail(error);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(CUgraphExec executable, CUgraphNode node, void *to,
                                                       const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms row;
    cudaError_t error = enter();
    if (error == cudaSuccess)
        error = row_from_symbol(to, symbol, bytes, offset, kind, &row);
    return error == cudaSuccess ? cudaGraphExecMemcpyNodeSetParams(executable, node, &row) : runtime_fail(error);
}

cudaError_t cudaGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *parameters)
{
    RUNTIME_CALL(cuGraphMemsetNodeGetParams(node, parameters));
}

cudaError_t cudaGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *wanted)
{
    RUNTIME_CALL(cuGraphMemsetNodeSetParams(node, wanted));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(CUgraphExec executable, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *wanted)
{
    RUNTIME_CALL(cuGraphExecMemsetNodeSetParams(executable, node, wanted, NULL));
}

cudaError_t cudaGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *parameters)
{
    RUNTIME_CALL(cuGraphHostNodeGetParams(node, parameters));
}

cudaError_t cudaGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *wanted)
{
    RUNTIME_CALL(cuGraphHostNodeSetParams(node, wanted));
}

cudaError_t cudaGraphExecHostNodeSetParams(CUgraphExec executable, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *wanted)
{
    RUNTIME_CALL(cuGraphExecHostNodeSetParams(executable, node, wanted));
}

cudaError_t cudaGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph)
{
    RUNTIME_CALL(cuGraphChildGraphNodeGetGraph(node, graph));
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(CUgraphExec executable, CUgraphNode node, CUgraph child)
{
    RUNTIME_CALL(cuGraphExecChildGraphNodeSetParams(executable, node, child));
}

cudaError_t cudaGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event)
{
    RUNTIME_CALL(cuGraphEventRecordNodeGetEvent(node, event));
}

cudaError_t cudaGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event)
{
    RUNTIME_CALL(cuGraphEventRecordNodeSetEvent(node, event));
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(CUgraphExec executable, CUgraphNode node, CUevent event)
{
    RUNTIME_CALL(cuGraphExecEventRecordNodeSetEvent(executable, node, event));
}

cudaError_t cudaGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event)
{
    RUNTIME_CALL(cuGraphEventWaitNodeGetEvent(node, event));
}

cudaError_t cudaGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event)
{
    RUNTIME_CALL(cuGraphEventWaitNodeSetEvent(node, event));
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(CUgraphExec executable, CUgraphNode node, CUevent event)
{
    RUNTIME_CALL(cuGraphExecEventWaitNodeSetEvent(executable, node, event));
}

cudaError_t cudaGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *parameters)
{
    RUNTIME_CALL(cuGraphMemAllocNodeGetParams(node, parameters));
}

cudaError_t cudaGraphMemFreeNodeGetParams(CUgraphNode node, void *address)
{
    RUNTIME_CALL(cuGraphMemFreeNodeGetParams(node, address));
}

cudaError_t cudaGraphNodeSetParams(CUgraphNode node, cudaGraphNodeParams *wanted)
{
    CUgraphNodeParams any;
    cudaError_t error = enter();
    if (error == cudaSuccess)
        error = node_of(wanted, &any);
    return error == cudaSuccess ? runtime_leave(cuGraphNodeSetParams(node, &any)) : runtime_fail(error);
}

cudaError_t cudaGraphExecNodeSetParams(CUgraphExec executable, CUgraphNode node, cudaGraphNodeParams *wanted)
{
    CUgraphNodeParams any;
    cudaError_t error = enter();
    if (error == cudaSuccess)
        error = node_of(wanted, &any);
    return error == cudaSuccess ? runtime_leave(cuGraphExecNodeSetParams(executable, node, &any)) : runtime_fail(error);
}

/* ---- executables ---- */

cudaError_t cudaGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph, unsigned long long flags)
{
    RUNTIME_CALL(cuGraphInstantiateWithFlags(executable, graph, flags));
}

cudaError_t cudaGraphInstantiate(CUgraphExec *executable, CUgraph graph, unsigned long long flags)
{
    return cudaGraphInstantiateWithFlags(executable, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(CUgraphExec *executable, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *parameters)
{
    RUNTIME_CALL(cuGraphInstantiateWithParams(executable, graph, parameters));
}
RUNTIME_SAME(cudaGraphInstantiateWithParams_ptsz, cudaGraphInstantiateWithParams);

cudaError_t cudaGraphExecGetFlags(CUgraphExec executable, unsigned long long *flags)
{
    RUNTIME_CALL(cuGraphExecGetFlags(executable, (uint64_t *)flags));
}

cudaError_t cudaGraphExecDestroy(CUgraphExec executable)
{
    RUNTIME_CALL(cuGraphExecDestroy(executable));
}

cudaError_t cudaGraphUpload(CUgraphExec executable, CUstream stream)
{
    RUNTIME_CALL(cuGraphUpload(executable, stream));
}
RUNTIME_SAME(cudaGraphUpload_ptsz, cudaGraphUpload);

cudaError_t cudaGraphLaunch(CUgraphExec executable, CUstream stream)
{
    RUNTIME_CALL(cuGraphLaunch(executable, stream));
}
RUNTIME_SAME(cudaGraphLaunch_ptsz, cudaGraphLaunch);

cudaError_t cudaGraphExecUpdate(CUgraphExec executable, CUgraph graph, CUgraphExecUpdateResultInfo *info)
{
    RUNTIME_CALL(cuGraphExecUpdate_v2(executable, graph, info));
}

cudaError_t cudaGraphNodeSetEnabled(CUgraphExec executable, CUgraphNode node, unsigned enabled)
{
    RUNTIME_CALL(cuGraphNodeSetEnabled(executable, node, enabled));
}

cudaError_t cudaGraphNodeGetEnabled(CUgraphExec executable, CUgraphNode node, unsigned *enabled)
{
    RUNTIME_CALL(cuGraphNodeGetEnabled(executable, node, enabled));
}
