/* Entry points: executable graphs. */
#include <stdatomic.h>
#include <stdio.h>

#include "runtime/emulator/driver/capture_port.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/late.h"
#include "runtime/emulator/driver/stream.h"
#include "runtime/emulator/driver/unordered.h"
#include "runtime/emulator/graph/capture.h"
#include "runtime/emulator/graph/executable.h"

/* Kernels cannot launch graphs here. */
static CUresult refuse_device_launch(void)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&said))
        fputs("lockstep: cuGraphInstantiate: CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH is not emulated; it returns "
              "CUDA_ERROR_NOT_SUPPORTED. Launch the graph from the host.\n",
              stderr);
    return CUDA_ERROR_NOT_SUPPORTED;
}

/* Instantiates inside the driver. */
static CUresult instantiate(CUgraphExec *handle, CUgraph graph_handle, uint64_t flags, CUgraphNode *error_node,
                            CUgraphInstantiateResult *why)
{
    struct executable *executable;
    struct graph *graph = graph_find(graph_handle);
    *error_node = NULL;
    *why = CUDA_GRAPH_INSTANTIATE_ERROR;
    if (!handle || !graph)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = capture_allow_unsafe();
    if (result == CUDA_SUCCESS && capture_uses(graph))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = executable_create(graph, flags, error_node, why, &executable);
    if (result == CUDA_SUCCESS)
        *handle = executable->handle;
    return result;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *handle, CUgraph graph, unsigned long long flags)
{
    CUgraphNode node;
    CUgraphInstantiateResult why;
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS && flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD) /* that needs the form with a stream */
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)
        result = refuse_device_launch();
    return driver_leave(result == CUDA_SUCCESS ? instantiate(handle, graph, flags, &node, &why) : result);
}

/* The form before CUDA 12: names the node and explains in a buffer. */
CUresult cuGraphInstantiate_v2(CUgraphExec *handle, CUgraph graph, CUgraphNode *error_node, char *log, size_t log_bytes)
{
    CUgraphNode node = NULL;
    CUgraphInstantiateResult why = CUDA_GRAPH_INSTANTIATE_ERROR;
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS)
        result = instantiate(handle, graph, 0, &node, &why);
    if (error_node)
        *error_node = node;
    if (log && log_bytes > 0)
        snprintf(log, log_bytes, "%s",
                 why == CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE ? "the dependencies of the graph form a cycle" : "");
    return driver_leave(result);
}
DRIVER_SAME(cuGraphInstantiate, cuGraphInstantiate_v2);

CUresult cuGraphInstantiateWithParams(CUgraphExec *handle, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *parameters)
{
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS && !parameters)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    parameters->hErrNode_out = NULL;
    parameters->result_out = CUDA_GRAPH_INSTANTIATE_ERROR;
    if (parameters->flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)
        result = refuse_device_launch();
    else
        result = instantiate(handle, graph, parameters->flags, &parameters->hErrNode_out, &parameters->result_out);
    return driver_leave(result);
}
DRIVER_SAME(cuGraphInstantiateWithParams_ptsz, cuGraphInstantiateWithParams);

static CUresult enter(CUgraphExec handle, struct executable **executable)
{
    CUresult result = driver_enter_any();
    if (result != CUDA_SUCCESS)
        return result;
    *executable = executable_find(handle);
    return *executable ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphExecDestroy(CUgraphExec handle)
{
    struct executable *executable;
    CUresult result = enter(handle, &executable);
    if (result == CUDA_SUCCESS)
        executable_destroy(executable);
    return driver_leave(result);
}

CUresult cuGraphExecGetFlags(CUgraphExec handle, uint64_t *flags)
{
    struct executable *executable;
    CUresult result = enter(handle, &executable);
    if (result == CUDA_SUCCESS && !flags)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *flags = executable->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH; /* as an H200 answers */
    return driver_leave(result);
}

/* Nothing is prepared on a device. */
CUresult cuGraphUpload(CUgraphExec handle, CUstream stream)
{
    struct context *context;
    CUresult result = stream_enter(stream, &context);
    if (result == CUDA_SUCCESS && !executable_find(handle))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && capture_port && capture_port->is_captured(stream))
        result = capture_port->allow(CAPTURE_CALL_STREAM, stream);
    return driver_leave(result);
}
DRIVER_SAME(cuGraphUpload_ptsz, cuGraphUpload);

CUresult cuGraphLaunch(CUgraphExec handle, CUstream stream)
{
    struct context *context;
    CUresult result = stream_enter(stream, &context);
    struct executable *executable = result == CUDA_SUCCESS ? executable_find(handle) : NULL;
    if (result == CUDA_SUCCESS && !executable)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && capture_port && capture_port->is_captured(stream))
        result = capture_port->allow(CAPTURE_CALL_STREAM, stream); /* a child graph node is how graphs are nested */
    if (result == CUDA_SUCCESS) {
        unordered_begin(stream, context);
        result = late_catch_up(context); /* its nodes are done now */
    }
    return driver_leave(result == CUDA_SUCCESS ? executable_launch(executable) : result);
}
DRIVER_SAME(cuGraphLaunch_ptsz, cuGraphLaunch);

/* ---- changes ---- */

CUresult cuGraphExecUpdate_v2(CUgraphExec handle, CUgraph graph_handle, CUgraphExecUpdateResultInfo *info)
{
    CUgraphExecUpdateResultInfo unused;
    struct executable *executable;
    CUresult result = enter(handle, &executable);
    const struct graph *graph = result == CUDA_SUCCESS ? graph_find(graph_handle) : NULL;
    if (result == CUDA_SUCCESS && (!graph || graph->is_moved))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = executable_update(executable, graph, info ? info : &unused);
    else if (info)
        *info = (CUgraphExecUpdateResultInfo){.result = CU_GRAPH_EXEC_UPDATE_ERROR};
    return driver_leave(result);
}

CUresult cuGraphExecUpdate(CUgraphExec handle, CUgraph graph, CUgraphNode *error_node, CUgraphExecUpdateResult *why)
{
    CUgraphExecUpdateResultInfo info = {0};
    CUresult result = cuGraphExecUpdate_v2(handle, graph, &info);
    if (error_node)
        *error_node = info.errorNode;
    if (why)
        *why = info.result;
    return result;
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec handle, CUgraphNode node_handle, CUgraph child_handle)
{
    CUgraphExecUpdateResultInfo info;
    struct executable *executable;
    CUresult result = enter(handle, &executable);
    const struct graph *child = result == CUDA_SUCCESS ? graph_find(child_handle) : NULL;
    const struct graph_node *node = child ? executable_find_node(executable, node_handle) : NULL;
    if (result == CUDA_SUCCESS && (!node || !node->child))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && executable_update_graph(node->child, child, &info) != CUDA_SUCCESS)
        result = CUDA_ERROR_INVALID_VALUE;
    return driver_leave(result);
}

/* Only work on the device can be left out. */
static CUresult enter_switch(CUgraphExec handle, CUgraphNode node_handle, struct graph_node **node)
{
    struct executable *executable;
    CUresult result = enter(handle, &executable);
    if (result != CUDA_SUCCESS)
        return result;
    *node = executable_find_node(executable, node_handle);
    if (!*node)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeType type = (*node)->work.type;
    bool can = type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_MEMCPY || type == CU_GRAPH_NODE_TYPE_MEMSET;
    return can ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphNodeSetEnabled(CUgraphExec handle, CUgraphNode node_handle, unsigned enabled)
{
    struct graph_node *node;
    CUresult result = enter_switch(handle, node_handle, &node);
    if (result == CUDA_SUCCESS)
        node->is_disabled = enabled == 0;
    return driver_leave(result);
}

CUresult cuGraphNodeGetEnabled(CUgraphExec handle, CUgraphNode node_handle, unsigned *enabled)
{
    struct graph_node *node;
    CUresult result = enter_switch(handle, node_handle, &node);
    if (result == CUDA_SUCCESS && !enabled)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *enabled = !node->is_disabled;
    return driver_leave(result);
}
