/* Graphs and stream capture in the emulated driver: what runs, in which order, and what findings say about it. The result
 * codes of misuse are compared with a GPU's by tests/clients/graph_codes.py. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/driver_table.h"
#include "tests/support.h"

#define OK(call)            CU_ASSERT_EQUAL(call, CUDA_SUCCESS)
#define FAILS(result, call) CU_ASSERT_EQUAL(call, CUDA_ERROR_##result)

/* `scale` makes *p = *p * m + a; `beyond` stores behind the end of an array of 64 elements. */
static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry scale(.param .u64 p, .param .u32 m, .param .u32 a) { .reg .u64 %p; .reg .u32 %v, %m, %a;\n"
    "    ld.param.u64 %p, [p]; ld.param.u32 %m, [m]; ld.param.u32 %a, [a];\n"
    "    ld.global.u32 %v, [%p]; mad.lo.u32 %v, %v, %m, %a; st.global.u32 [%p], %v; ret; }\n"
    ".visible .entry beyond(.param .u64 p) { .reg .u64 %p; .reg .u32 %v;\n"
    "    ld.param.u64 %p, [p]; mov.u32 %v, 1; st.global.u32 [%p+256], %v; ret; }\n";

static const struct driver_table *driver;
static char directory[SUPPORT_PATH_BYTES];
static CUcontext primary;
static CUmodule module;
static CUdeviceptr array; /* [64] of four bytes */

static int set_up(void)
{
    char findings[SUPPORT_PATH_BYTES];
    if (!support_temporary_directory(directory))
        return -1;
    setenv("LOCKSTEP_CHECKS", "poison", 1);
    setenv("LOCKSTEP_FINDINGS", support_join(findings, directory, "findings"), 1);
    unsetenv("LOCKSTEP_GPU");
    driver = driver_table_get();
    if (!driver || driver->cuInit(0) != CUDA_SUCCESS)
        return -1;
    return 0;
}

static int clean_up(void)
{
    support_remove_tree(directory);
    return 0;
}

/* Each test has a context of its own: some end it by a failing kernel. */
static void begin(void)
{
    OK(driver->cuDevicePrimaryCtxRetain(&primary, 0));
    OK(driver->cuCtxSetCurrent(primary));
    OK(driver->cuModuleLoadData(&module, ptx));
    OK(driver->cuMemAlloc_v2(&array, 256));
    OK(driver->cuMemsetD32_v2(array, 0, 64));
}

static void end(void)
{
    OK(driver->cuCtxSetCurrent(NULL));
    OK(driver->cuDevicePrimaryCtxRelease_v2(0));
}

static char *findings(void)
{
    char path[SUPPORT_PATH_BYTES];
    return support_read_file(support_join(path, directory, "findings"), NULL);
}

static bool was_said(const char *words)
{
    char *text = findings();
    bool said = text && strstr(text, words);
    free(text);
    return said;
}

static unsigned value(void)
{
    unsigned number = 0;
    OK(driver->cuMemcpyDtoH_v2(&number, array, sizeof number));
    return number;
}

/* A kernel node that makes the first element  itself * factor + addend. */
static CUgraphNode add_scale(CUgraph graph, unsigned factor, unsigned addend, CUgraphNode before)
{
    CUgraphNode node = NULL;
    void *parameters[] = {&array, &factor, &addend};
    CUDA_KERNEL_NODE_PARAMS kernel = {.gridDimX = 1,
                                      .gridDimY = 1,
                                      .gridDimZ = 1,
                                      .blockDimX = 1,
                                      .blockDimY = 1,
                                      .blockDimZ = 1,
                                      .kernelParams = parameters};
    OK(driver->cuModuleGetFunction(&kernel.func, module, "scale"));
    OK(driver->cuGraphAddKernelNode_v2(&node, graph, &before, before ? 1 : 0, &kernel));
    factor = addend = 77; /* the node has copies */
    return node;
}

static void launch_scale(CUstream stream, unsigned factor, unsigned addend)
{
    CUfunction function;
    void *parameters[] = {&array, &factor, &addend};
    OK(driver->cuModuleGetFunction(&function, module, "scale"));
    OK(driver->cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL));
}

static CUgraphExec instantiate(CUgraph graph)
{
    CUgraphExec executable = NULL;
    OK(driver->cuGraphInstantiateWithFlags(&executable, graph, 0));
    return executable;
}

static void nodes_run_in_the_order_of_dependencies(void)
{
    CUgraph graph;
    begin();
    OK(driver->cuGraphCreate(&graph, 0));
    CUgraphNode last = add_scale(graph, 10, 3, NULL); /* added first, and made to wait for what is added later */
    CUgraphNode first = add_scale(graph, 10, 1, NULL);
    CUgraphNode middle = add_scale(graph, 10, 2, first);
    OK(driver->cuGraphAddDependencies(graph, &middle, &last, 1));
    CUgraphExec executable = instantiate(graph);
    CU_ASSERT_EQUAL(value(), 0);
    OK(driver->cuGraphLaunch(executable, NULL));
    CU_ASSERT_EQUAL(value(), 123);
    OK(driver->cuGraphDestroy(graph)); /* what was instantiated lives on */
    OK(driver->cuMemsetD32_v2(array, 0, 1));
    OK(driver->cuGraphLaunch(executable, NULL));
    CU_ASSERT_EQUAL(value(), 123);
    OK(driver->cuGraphExecDestroy(executable));
    FAILS(INVALID_VALUE, driver->cuGraphLaunch(executable, NULL));
    end();
}

static void add_one(void *data)
{
    ++*(int *)data;
}

static void every_kind_of_node_runs(void)
{
    CUgraph graph, child;
    CUgraphNode fill, copy, node;
    CUevent event;
    int calls = 0;
    unsigned host = 0;
    begin();
    OK(driver->cuEventCreate(&event, 0));
    OK(driver->cuGraphCreate(&graph, 0));
    OK(driver->cuGraphCreate(&child, 0));
    CUDA_HOST_NODE_PARAMS call = {add_one, &calls};
    OK(driver->cuGraphAddHostNode(&node, child, NULL, 0, &call));
    CUDA_MEMSET_NODE_PARAMS seven = {array, 0, 7, 4, 64, 1};
    OK(driver->cuGraphAddMemsetNode(&fill, graph, NULL, 0, &seven, primary));
    CUgraphNode scaled = add_scale(graph, 2, 0, fill);
    CUDA_MEMCPY3D back = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = array,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = &host,
                          .WidthInBytes = sizeof host,
                          .Height = 1,
                          .Depth = 1};
    OK(driver->cuGraphAddMemcpyNode(&copy, graph, &scaled, 1, &back, primary));
    OK(driver->cuGraphAddEventRecordNode(&node, graph, &copy, 1, event));
    OK(driver->cuGraphAddEventWaitNode(&node, graph, &copy, 1, event));
    OK(driver->cuGraphAddEmptyNode(&node, graph, &copy, 1));
    OK(driver->cuGraphAddChildGraphNode(&node, graph, &copy, 1, child));
    CUgraphExec executable = instantiate(graph);
    OK(driver->cuGraphLaunch(executable, NULL));
    OK(driver->cuGraphLaunch(executable, NULL));
    CU_ASSERT_EQUAL(host, 14);
    CU_ASSERT_EQUAL(calls, 2);
    OK(driver->cuGraphNodeSetEnabled(executable, scaled, 0));
    OK(driver->cuGraphLaunch(executable, NULL));
    CU_ASSERT_EQUAL(host, 7);
    OK(driver->cuGraphExecDestroy(executable));
    OK(driver->cuGraphDestroy(child));
    OK(driver->cuGraphDestroy(graph));
    end();
}

static void a_captured_stream_records_and_does_nothing(void)
{
    CUgraph graph;
    CUstream one, two;
    CUevent fork, join;
    size_t nodes = 0, edges = 0;
    begin();
    OK(driver->cuStreamCreate(&one, CU_STREAM_NON_BLOCKING));
    OK(driver->cuStreamCreate(&two, CU_STREAM_NON_BLOCKING));
    OK(driver->cuEventCreate(&fork, 0));
    OK(driver->cuEventCreate(&join, 0));
    OK(driver->cuStreamBeginCapture_v2(one, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(driver->cuMemsetD32Async(array, 5, 64, one));
    OK(driver->cuEventRecord(fork, one));
    OK(driver->cuStreamWaitEvent(two, fork, 0));
    launch_scale(two, 3, 0);
    OK(driver->cuEventRecord(join, two));
    OK(driver->cuStreamWaitEvent(one, join, 0));
    launch_scale(one, 1, 1);
    OK(driver->cuStreamEndCapture(one, &graph));
    CU_ASSERT_EQUAL(value(), 0);
    OK(driver->cuGraphGetNodes(graph, NULL, &nodes));
    OK(driver->cuGraphGetEdges(graph, NULL, NULL, &edges));
    CU_ASSERT_EQUAL(nodes, 3);
    CU_ASSERT_EQUAL(edges, 3); /* the fill is before both launches, and the first launch before the second */
    CUgraphExec executable = instantiate(graph);
    OK(driver->cuGraphLaunch(executable, one));
    CU_ASSERT_EQUAL(value(), 16);
    launch_scale(two, 1, 1); /* the other stream is an ordinary one again */
    CU_ASSERT_EQUAL(value(), 17);
    OK(driver->cuGraphExecDestroy(executable));
    OK(driver->cuGraphDestroy(graph));
    end();
}

static void findings_name_the_graph(void)
{
    CUgraph graph;
    CUgraphNode node;
    CUdeviceptr gone;
    begin();
    OK(driver->cuGraphCreate(&graph, 0));
    OK(driver->cuMemAlloc_v2(&gone, 64));
    CUDA_MEMSET_NODE_PARAMS fill = {gone, 0, 7, 4, 16, 1};
    OK(driver->cuGraphAddMemsetNode(&node, graph, NULL, 0, &fill, primary));
    CUgraphExec executable = instantiate(graph);
    OK(driver->cuGraphLaunch(executable, NULL));
    OK(driver->cuMemFree_v2(gone));
    FAILS(INVALID_VALUE, driver->cuGraphLaunch(executable, NULL));
    CU_ASSERT_TRUE(
        was_said("cuGraphLaunch (memset node 0) was given an address in the allocation (64 bytes), which was freed."));
    void *parameters[] = {&array};
    CUDA_KERNEL_NODE_PARAMS kernel = {.gridDimX = 1,
                                      .gridDimY = 1,
                                      .gridDimZ = 1,
                                      .blockDimX = 1,
                                      .blockDimY = 1,
                                      .blockDimZ = 1,
                                      .kernelParams = parameters};
    OK(driver->cuModuleGetFunction(&kernel.func, module, "beyond"));
    CU_ASSERT_FALSE(was_said("This launch is node"));
    OK(driver->cuGraphDestroyNode(node));
    OK(driver->cuGraphAddEmptyNode(&node, graph, NULL, 0));
    OK(driver->cuGraphAddKernelNode_v2(&node, graph, NULL, 0, &kernel));
    OK(driver->cuGraphLaunch(instantiate(graph), NULL)); /* as a launch: its failure is the next call's */
    FAILS(ILLEGAL_ADDRESS, driver->cuCtxSynchronize());
    CU_ASSERT_TRUE(was_said("This launch is node 1 of a graph (cuGraphLaunch)."));
    end();
}

static void a_node_that_reaches_too_far_is_refused_when_it_is_made(void)
{
    CUgraph graph;
    CUgraphNode node;
    begin();
    OK(driver->cuGraphCreate(&graph, 0));
    CUDA_MEMSET_NODE_PARAMS fill = {array, 0, 7, 4, 65, 1};
    FAILS(INVALID_VALUE, driver->cuGraphAddMemsetNode(&node, graph, NULL, 0, &fill, primary));
    CU_ASSERT_TRUE(was_said("A memset node would write 260 bytes from byte 0 of the allocation, which has 256 bytes."));
    OK(driver->cuGraphDestroy(graph));
    end();
}

static void memory_of_a_graph_is_there_while_the_graph_says_so(void)
{
    CUgraph graph;
    CUgraphNode made, node;
    CUDA_MEM_ALLOC_NODE_PARAMS memory = {.poolProps = {.allocType = 1, .location = {1, 0}}, .bytesize = 512};
    unsigned host[64];
    begin();
    OK(driver->cuGraphCreate(&graph, 0));
    OK(driver->cuGraphAddMemAllocNode(&made, graph, NULL, 0, &memory));
    CUDA_MEMSET_NODE_PARAMS fill = {memory.dptr, 0, 7, 4, 32, 1};
    OK(driver->cuGraphAddMemsetNode(&node, graph, &made, 1, &fill, primary));
    CUgraphExec executable = instantiate(graph);
    FAILS(INVALID_VALUE, driver->cuMemcpyDtoH_v2(host, memory.dptr, 128));
    CU_ASSERT_TRUE(was_said("is memory of a graph and not allocated at this point"));
    OK(driver->cuGraphLaunch(executable, NULL));
    OK(driver->cuMemcpyDtoH_v2(host, memory.dptr, 128));
    CU_ASSERT_EQUAL(host[31], 7);
    CU_ASSERT_FALSE(was_said("what was never written"));
    OK(driver->cuMemcpyDtoH_v2(host, memory.dptr, 256));
    CU_ASSERT_TRUE(was_said("copies to the host what was never written: bytes 128..255"));
    FAILS(INVALID_VALUE, driver->cuGraphLaunch(executable, NULL)); /* it is still allocated */
    OK(driver->cuMemFree_v2(memory.dptr));
    OK(driver->cuGraphLaunch(executable, NULL));
    CU_ASSERT_FALSE(was_said("512 bytes of device memory"));
    OK(driver->cuMemFree_v2(array));
    end(); /* the second launch's memory is the only one that is left */
    CU_ASSERT_TRUE(was_said("512 bytes of device memory were never freed"));
    OK(driver->cuGraphExecDestroy(executable));
    OK(driver->cuGraphDestroy(graph));
}

static void an_executable_takes_over_parameters_from_a_graph_of_the_same_shape(void)
{
    CUgraph one, two, three;
    CUgraphExecUpdateResultInfo info;
    begin();
    OK(driver->cuGraphCreate(&one, 0));
    OK(driver->cuGraphCreate(&two, 0));
    OK(driver->cuGraphCreate(&three, 0));
    add_scale(one, 1, 1, add_scale(one, 1, 0, NULL));
    add_scale(two, 1, 5, add_scale(two, 1, 0, NULL));
    add_scale(three, 1, 9, NULL);
    CUgraphNode loose = add_scale(three, 1, 9, NULL);
    CUgraphExec executable = instantiate(one);
    OK(driver->cuGraphExecUpdate_v2(executable, two, &info));
    CU_ASSERT_EQUAL(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
    OK(driver->cuGraphLaunch(executable, NULL));
    CU_ASSERT_EQUAL(value(), 5);
    FAILS(GRAPH_EXEC_UPDATE_FAILURE, driver->cuGraphExecUpdate_v2(executable, three, &info));
    CU_ASSERT_EQUAL(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    CU_ASSERT_PTR_EQUAL(info.errorNode, loose);
    OK(driver->cuGraphLaunch(executable, NULL));
    CU_ASSERT_EQUAL(value(), 10);
    OK(driver->cuGraphExecDestroy(executable));
    OK(driver->cuGraphDestroy(one));
    OK(driver->cuGraphDestroy(two));
    OK(driver->cuGraphDestroy(three));
    end();
}

static void a_user_object_lives_as_long_as_its_last_graph(void)
{
    CUgraph graph, clone;
    CUuserObject object;
    int destroyed = 0;
    begin();
    OK(driver->cuUserObjectCreate(&object, &destroyed, add_one, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    OK(driver->cuGraphCreate(&graph, 0));
    OK(driver->cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
    OK(driver->cuGraphClone(&clone, graph));
    CUgraphExec executable = instantiate(graph);
    OK(driver->cuGraphDestroy(graph));
    OK(driver->cuGraphDestroy(clone));
    CU_ASSERT_EQUAL(destroyed, 0);
    OK(driver->cuGraphExecDestroy(executable));
    CU_ASSERT_EQUAL(destroyed, 1);
    FAILS(INVALID_VALUE, driver->cuUserObjectRelease(object, 1));
    end();
}

/* Destroys the executable that is running. */
static void destroy(void *data)
{
    OK(driver->cuGraphExecDestroy(*(CUgraphExec *)data));
}

static void an_executable_may_be_destroyed_while_it_runs(void)
{
    CUgraph graph;
    CUgraphNode node;
    CUgraphExec executable = NULL;
    begin();
    OK(driver->cuGraphCreate(&graph, 0));
    CUDA_HOST_NODE_PARAMS call = {destroy, &executable};
    OK(driver->cuGraphAddHostNode(&node, graph, NULL, 0, &call));
    add_scale(graph, 1, 4, node);
    executable = instantiate(graph);
    OK(driver->cuGraphLaunch(executable, NULL));
    CU_ASSERT_EQUAL(value(), 4);
    FAILS(INVALID_VALUE, driver->cuGraphLaunch(executable, NULL));
    OK(driver->cuGraphDestroy(graph));
    end();
}

static void what_is_not_emulated_is_refused(void)
{
    CUgraph graph;
    CUgraphNode node;
    CUgraphExec executable;
    CUgraphNodeParams conditional = {.type = CU_GRAPH_NODE_TYPE_CONDITIONAL};
    begin();
    OK(driver->cuGraphCreate(&graph, 0));
    FAILS(NOT_SUPPORTED, driver->cuGraphAddNode_v2(&node, graph, NULL, NULL, 0, &conditional));
    FAILS(NOT_SUPPORTED, driver->cuGraphInstantiateWithFlags(&executable, graph, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH));
    OK(driver->cuGraphDestroy(graph));
    end();
}

static void the_name_of_instantiation_depends_on_the_version(void)
{
    void *older = NULL, *newer = NULL;
    OK(driver->cuGetProcAddress_v2("cuGraphInstantiate", &older, 11000, 0, NULL));
    OK(driver->cuGetProcAddress_v2("cuGraphInstantiate", &newer, 12000, 0, NULL));
    CU_ASSERT_PTR_EQUAL(older, driver_table_symbol("cuGraphInstantiate_v2"));
    CU_ASSERT_PTR_EQUAL(newer, driver_table_symbol("cuGraphInstantiateWithFlags"));
}

static const struct support_test tests[] = {
    SUPPORT_TEST(nodes_run_in_the_order_of_dependencies),
    SUPPORT_TEST(every_kind_of_node_runs),
    SUPPORT_TEST(a_captured_stream_records_and_does_nothing),
    SUPPORT_TEST(findings_name_the_graph),
    SUPPORT_TEST(a_node_that_reaches_too_far_is_refused_when_it_is_made),
    SUPPORT_TEST(memory_of_a_graph_is_there_while_the_graph_says_so),
    SUPPORT_TEST(an_executable_takes_over_parameters_from_a_graph_of_the_same_shape),
    SUPPORT_TEST(a_user_object_lives_as_long_as_its_last_graph),
    SUPPORT_TEST(an_executable_may_be_destroyed_while_it_runs),
    SUPPORT_TEST(what_is_not_emulated_is_refused),
    SUPPORT_TEST(the_name_of_instantiation_depends_on_the_version),
};

int graph_suite_register(void)
{
    return support_register_with("graph", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}
