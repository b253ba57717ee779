/* Entry points: asking for the parameters of nodes, and changing them, in graphs and in executables. */
#include <string.h>

#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/graph/executable.h"
#include "runtime/emulator/graph/graph.h"
#include "runtime/emulator/graph/node_parameters.h"

/* ---- asking ---- */

/* Enters and finds a node of that kind. */
static CUresult enter(CUgraphNode handle, CUgraphNodeType type, const void *output, struct graph_node **node)
{
    CUresult result = driver_enter_any();
    if (result != CUDA_SUCCESS)
        return result;
    *node = graph_find_node(handle);
    return *node && output && (*node)->work.type == type ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode handle, CUDA_KERNEL_NODE_PARAMS *parameters)
{
    struct graph_node *node;
    CUresult result = enter(handle, CU_GRAPH_NODE_TYPE_KERNEL, parameters, &node);
    if (result == CUDA_SUCCESS)
        *parameters = node_parameters_of_kernel(&node->work);
    return driver_leave(result);
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode handle, CUDA_KERNEL_NODE_PARAMS_v1 *parameters)
{
    CUDA_KERNEL_NODE_PARAMS newer;
    CUresult result = cuGraphKernelNodeGetParams_v2(handle, &newer);
    if (result == CUDA_SUCCESS && !parameters)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        memcpy(parameters, &newer, sizeof *parameters);
    return result;
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode handle, CUDA_MEMCPY3D *parameters)
{
    struct graph_node *node;
    CUresult result = enter(handle, CU_GRAPH_NODE_TYPE_MEMCPY, parameters, &node);
    if (result == CUDA_SUCCESS)
        *parameters = node->work.copy;
    return driver_leave(result);
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode handle, CUDA_MEMSET_NODE_PARAMS *parameters)
{
    struct graph_node *node;
    CUresult result = enter(handle, CU_GRAPH_NODE_TYPE_MEMSET, parameters, &node);
    if (result == CUDA_SUCCESS)
        *parameters = node->work.fill;
    return driver_leave(result);
}

CUresult cuGraphHostNodeGetParams(CUgraphNode handle, CUDA_HOST_NODE_PARAMS *parameters)
{
    struct graph_node *node;
    CUresult result = enter(handle, CU_GRAPH_NODE_TYPE_HOST, parameters, &node);
    if (result == CUDA_SUCCESS)
        *parameters = node->work.host;
    return driver_leave(result);
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode handle, CUgraph *graph)
{
    struct graph_node *node;
    CUresult result = enter(handle, CU_GRAPH_NODE_TYPE_GRAPH, graph, &node);
    if (result == CUDA_SUCCESS)
        *graph = node->child->handle;
    return driver_leave(result);
}

static CUresult get_event(CUgraphNode handle, CUgraphNodeType type, CUevent *event)
{
    struct graph_node *node;
    CUresult result = enter(handle, type, event, &node);
    if (result == CUDA_SUCCESS)
        *event = node->work.event;
    return driver_leave(result);
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode handle, CUevent *event)
{
    return get_event(handle, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event);
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode handle, CUevent *event)
{
    return get_event(handle, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event);
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode handle, CUDA_MEM_ALLOC_NODE_PARAMS *parameters)
{
    struct graph_node *node;
    CUresult result = enter(handle, CU_GRAPH_NODE_TYPE_MEM_ALLOC, parameters, &node);
    if (result == CUDA_SUCCESS)
        *parameters = node->work.allocation;
    return driver_leave(result);
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode handle, CUdeviceptr *address)
{
    struct graph_node *node;
    CUresult result = enter(handle, CU_GRAPH_NODE_TYPE_MEM_FREE, address, &node);
    if (result == CUDA_SUCCESS)
        *address = node->work.freed;
    return driver_leave(result);
}

/* ---- changing ---- */

/* Which node is changed: one of a graph, or its copy in an executable. */
struct target {
    CUgraphExec executable;
    CUgraphNode node;
    bool in_executable;
};

/* Enters and finds what is to change, and the current context. */
static CUresult enter_target(const struct target *target, struct graph_node **node, struct context **context)
{
    CUresult result = driver_enter(context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!target->in_executable) {
        *node = graph_find_node(target->node);
    } else {
        const struct executable *executable = executable_find(target->executable);
        *node = executable ? executable_find_node(executable, target->node) : NULL;
    }
    return *node ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Replaces the work, and keeps the attributes of a kernel node. */
static CUresult replace(const struct target *target, struct graph_node *node, struct node_work *work)
{
    if (work->type != node->work.type) {
        node_work_clear(work);
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (work->type == CU_GRAPH_NODE_TYPE_KERNEL && !work->kernel.attributes) {
        work->kernel.attributes = node->work.kernel.attributes;
        work->kernel.call.cooperative = node->work.kernel.call.cooperative;
        node->work.kernel.attributes = NULL;
    }
    if (target->in_executable)
        return executable_set_work(node, work);
    node_work_clear(&node->work);
    node->work = *work;
    return CUDA_SUCCESS;
}

static CUresult set_any(const struct target *target, const CUgraphNodeParams *wanted)
{
    struct graph_node *node;
    struct context *context;
    struct node_work work;
    CUresult result = enter_target(target, &node, &context);
    if (result == CUDA_SUCCESS && (!wanted || wanted->type != node->work.type))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = node_parameters_any(context, wanted, &work);
    if (result == CUDA_SUCCESS)
        result = replace(target, node, &work);
    return driver_leave(result);
}

static struct target in_graph(CUgraphNode node)
{
    return (struct target){NULL, node, false};
}

static struct target in_executable(CUgraphExec executable, CUgraphNode node)
{
    return (struct target){executable, node, true};
}

static CUresult set_kernel(struct target target, const CUDA_KERNEL_NODE_PARAMS *wanted)
{
    CUgraphNodeParams any = {.type = CU_GRAPH_NODE_TYPE_KERNEL};
    if (wanted)
        any.kernel = *wanted;
    return set_any(&target, wanted ? &any : NULL);
}

static CUresult set_copy(struct target target, const CUDA_MEMCPY3D *wanted, CUcontext context)
{
    CUgraphNodeParams any = {.type = CU_GRAPH_NODE_TYPE_MEMCPY, .memcpy = {.copyCtx = context}};
    if (wanted)
        any.memcpy.copyParams = *wanted;
    return set_any(&target, wanted ? &any : NULL);
}

static CUresult set_fill(struct target target, const CUDA_MEMSET_NODE_PARAMS *wanted, CUcontext context)
{
    CUgraphNodeParams any = {.type = CU_GRAPH_NODE_TYPE_MEMSET, .memset = {.ctx = context}};
    if (wanted)
        any.memset.fill = *wanted;
    return set_any(&target, wanted ? &any : NULL);
}

static CUresult set_host(struct target target, const CUDA_HOST_NODE_PARAMS *wanted)
{
    CUgraphNodeParams any = {.type = CU_GRAPH_NODE_TYPE_HOST};
    if (wanted)
        any.host = *wanted;
    return set_any(&target, wanted ? &any : NULL);
}

static CUresult set_event(struct target target, CUgraphNodeType type, CUevent event)
{
    CUgraphNodeParams any = {.type = type, .event = event};
    return set_any(&target, &any);
}

CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *wanted)
{
    return set_kernel(in_graph(node), wanted);
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *wanted)
{
    CUDA_KERNEL_NODE_PARAMS newer = node_parameters_newer(wanted);
    return set_kernel(in_graph(node), wanted ? &newer : NULL);
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec executable, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *wanted)
{
    return set_kernel(in_executable(executable, node), wanted);
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec executable, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *wanted)
{
    CUDA_KERNEL_NODE_PARAMS newer = node_parameters_newer(wanted);
    return set_kernel(in_executable(executable, node), wanted ? &newer : NULL);
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *wanted)
{
    return set_copy(in_graph(node), wanted, NULL);
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec executable, CUgraphNode node, const CUDA_MEMCPY3D *wanted,
                                        CUcontext context)
{
    return set_copy(in_executable(executable, node), wanted, context);
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *wanted)
{
    return set_fill(in_graph(node), wanted, NULL);
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec executable, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *wanted,
                                        CUcontext context)
{
    return set_fill(in_executable(executable, node), wanted, context);
}

CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *wanted)
{
    return set_host(in_graph(node), wanted);
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec executable, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *wanted)
{
    return set_host(in_executable(executable, node), wanted);
}

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event)
{
    return set_event(in_graph(node), CU_GRAPH_NODE_TYPE_EVENT_RECORD, event);
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec executable, CUgraphNode node, CUevent event)
{
    return set_event(in_executable(executable, node), CU_GRAPH_NODE_TYPE_EVENT_RECORD, event);
}

CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event)
{
    return set_event(in_graph(node), CU_GRAPH_NODE_TYPE_WAIT_EVENT, event);
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec executable, CUgraphNode node, CUevent event)
{
    return set_event(in_executable(executable, node), CU_GRAPH_NODE_TYPE_WAIT_EVENT, event);
}

CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *wanted)
{
    struct target target = in_graph(node);
    return set_any(&target, wanted);
}

CUresult cuGraphExecNodeSetParams(CUgraphExec executable, CUgraphNode node, CUgraphNodeParams *wanted)
{
    struct target target = in_executable(executable, node);
    if (wanted && wanted->type == CU_GRAPH_NODE_TYPE_GRAPH)
        return cuGraphExecChildGraphNodeSetParams(executable, node, wanted->graph.graph);
    return set_any(&target, wanted);
}

/* ---- attributes of kernel nodes ---- */

static bool is_attribute(CUlaunchAttributeID attribute)
{
    switch (attribute) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: return true;
    default: return false;
    }
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode handle, CUlaunchAttributeID attribute, CUlaunchAttributeValue *value)
{
    struct graph_node *node;
    CUresult result = enter(handle, CU_GRAPH_NODE_TYPE_KERNEL, value, &node);
    if (result == CUDA_SUCCESS && !is_attribute(attribute))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        const struct node_kernel *kernel = &node->work.kernel;
        *value = kernel->attributes ? kernel->attributes[attribute] : (CUlaunchAttributeValue){{0}};
        if (attribute == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
            value->cooperative = kernel->call.cooperative;
    }
    return driver_leave(result);
}

static CUresult set_attribute(struct node_kernel *kernel, CUlaunchAttributeID attribute, const CUlaunchAttributeValue *value)
{
    if (!is_attribute(attribute))
        return CUDA_ERROR_INVALID_VALUE;
    if (attribute == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
        && (value->clusterDim.x > 1 || value->clusterDim.y > 1 || value->clusterDim.z > 1))
        return CUDA_ERROR_NOT_SUPPORTED; /* as for launches */
    if (!node_work_make_attributes(kernel))
        return CUDA_ERROR_OUT_OF_MEMORY;
    kernel->attributes[attribute] = *value;
    if (attribute == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
        kernel->call.cooperative = value->cooperative != 0;
    return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode handle, CUlaunchAttributeID attribute,
                                       const CUlaunchAttributeValue *value)
{
    struct graph_node *node;
    CUresult result = enter(handle, CU_GRAPH_NODE_TYPE_KERNEL, value, &node);
    return driver_leave(result == CUDA_SUCCESS ? set_attribute(&node->work.kernel, attribute, value) : result);
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode target, CUgraphNode source_handle)
{
    struct graph_node *node;
    CUresult result = enter(target, CU_GRAPH_NODE_TYPE_KERNEL, target, &node);
    const struct graph_node *source = result == CUDA_SUCCESS ? graph_find_node(source_handle) : NULL;
    if (result == CUDA_SUCCESS && (!source || source->work.type != CU_GRAPH_NODE_TYPE_KERNEL))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    struct node_kernel *kernel = &node->work.kernel;
    const struct node_kernel *from = &source->work.kernel;
    kernel->call.cooperative = from->call.cooperative;
    if (!node_work_make_attributes(kernel))
        return driver_leave(CUDA_ERROR_OUT_OF_MEMORY);
    for (int i = 0; i < NODE_ATTRIBUTE_COUNT; i++)
        kernel->attributes[i] = from->attributes ? from->attributes[i] : (CUlaunchAttributeValue){{0}};
    return driver_leave(CUDA_SUCCESS);
}
