/* What the emulated driver orders, entry point by entry point: which pairs of work it reports, and which it does not. Whole
 * programs are in tests/clients/order.cu. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/driver_table.h"
#include "tests/support.h"

#define OK(call) CU_ASSERT_EQUAL(call, CUDA_SUCCESS)

enum { COUNT = 64, BYTES = 4 * COUNT };

/* One block of 64 threads: `store` writes an element each; `signal` writes data[0], then flag volatile; `await` reads the
 * flag volatile, then data[0]. */
static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry store(.param .u64 p) { .reg .u64 %p, %o; .reg .u32 %t;\n"
    "    ld.param.u64 %p, [p]; mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 4; add.u64 %p, %p, %o;\n"
    "    st.global.u32 [%p], %t; ret; }\n"
    ".visible .entry signal(.param .u64 p, .param .u64 f) { .reg .u64 %p, %f; .reg .u32 %v;\n"
    "    ld.param.u64 %p, [p]; ld.param.u64 %f, [f]; mov.u32 %v, 1;\n"
    "    st.global.u32 [%p], %v; membar.gl; st.volatile.global.u32 [%f], %v; ret; }\n"
    ".visible .entry await(.param .u64 p, .param .u64 f) { .reg .u64 %p, %f; .reg .u32 %v;\n"
    "    ld.param.u64 %p, [p]; ld.param.u64 %f, [f];\n"
    "    ld.volatile.global.u32 %v, [%f]; membar.gl; ld.global.u32 %v, [%p]; st.global.u32 [%p+4], %v; ret; }\n";

static const struct driver_table *driver;
static char directory[SUPPORT_PATH_BYTES];
static CUcontext primary;
static CUmodule module;
static CUdeviceptr array, flag;
static CUstream one, other, apart;
static CUevent event;
static size_t reported; /* bytes of findings before the test */

static char *findings(void)
{
    char path[SUPPORT_PATH_BYTES];
    return support_read_file(support_join(path, directory, "findings"), NULL);
}

static int set_up(void)
{
    char path[SUPPORT_PATH_BYTES];
    if (!support_temporary_directory(directory))
        return -1;
    setenv("LOCKSTEP_CHECKS", "all", 1);
    setenv("LOCKSTEP_FINDINGS", support_join(path, directory, "findings"), 1);
    unsetenv("LOCKSTEP_GPU");
    driver = driver_table_get();
    return driver && driver->cuInit(0) == CUDA_SUCCESS ? 0 : -1;
}

static int clean_up(void)
{
    support_remove_tree(directory);
    return 0;
}

static void begin(void)
{
    char *before = findings();
    reported = before ? strlen(before) : 0;
    free(before);
    OK(driver->cuDevicePrimaryCtxRetain(&primary, 0));
    OK(driver->cuCtxSetCurrent(primary));
    OK(driver->cuModuleLoadData(&module, ptx));
    OK(driver->cuMemAlloc_v2(&array, BYTES));
    OK(driver->cuMemAlloc_v2(&flag, BYTES));
    OK(driver->cuMemsetD32_v2(array, 0, COUNT));
    OK(driver->cuMemsetD32_v2(flag, 0, COUNT));
    OK(driver->cuStreamCreate(&one, 0));
    OK(driver->cuStreamCreate(&other, 0));
    OK(driver->cuStreamCreate(&apart, CU_STREAM_NON_BLOCKING));
    OK(driver->cuEventCreate(&event, 0));
    OK(driver->cuCtxSynchronize());
}

/* Ends the test, in which this finding was reported and no other; NULL: none. */
static void end(const char *words)
{
    char *all = findings();
    const char *mine = all && strlen(all) > reported ? all + reported : "";
    if (words)
        SUPPORT_CONTAINS(mine, words);
    const char *line = strchr(mine, '\n');
    CU_ASSERT_EQUAL(words != NULL, line != NULL);
    CU_ASSERT_TRUE(!line || line[1] == '\0');
    free(all);
    OK(driver->cuMemFree_v2(array));
    OK(driver->cuMemFree_v2(flag));
    OK(driver->cuCtxSetCurrent(NULL));
    OK(driver->cuDevicePrimaryCtxRelease_v2(0));
}

static void launch(const char *kernel, CUstream stream)
{
    CUfunction function;
    void *parameters[] = {&array, &flag};
    unsigned threads = strcmp(kernel, "store") == 0 ? COUNT : 1;
    OK(driver->cuModuleGetFunction(&function, module, kernel));
    OK(driver->cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, stream, parameters, NULL));
}

static void two_streams_are_not_ordered(void)
{
    begin();
    launch("store", one);
    OK(driver->cuMemsetD32Async(array, 0, 1, other));
    end("kernel store (stream ");
}

static void bytes_that_do_not_meet_need_no_order(void)
{
    begin();
    launch("store", one);
    OK(driver->cuMemsetD32Async(flag, 0, COUNT, other));
    OK(driver->cuMemsetD8Async(flag, 1, 3, other));
    end(NULL);
}

static void an_event_orders_what_came_before_it(void)
{
    begin();
    launch("store", one);
    OK(driver->cuEventRecord(event, one));
    OK(driver->cuStreamWaitEvent(apart, event, 0));
    OK(driver->cuMemsetD32Async(array, 0, COUNT, apart));
    OK(driver->cuEventRecord(event, apart)); /* a new mark, which `one` does not wait for */
    OK(driver->cuMemsetD32Async(flag, 0, COUNT, one));
    end(NULL);
}

static void an_event_orders_through_a_third_stream(void)
{
    begin();
    launch("store", one);
    OK(driver->cuEventRecord(event, one));
    OK(driver->cuStreamWaitEvent(other, event, 0));
    OK(driver->cuEventRecord(event, other));
    OK(driver->cuStreamWaitEvent(apart, event, 0));
    OK(driver->cuMemsetD32Async(array, 0, COUNT, apart));
    end(NULL);
}

static void a_wait_takes_the_event_as_it_was(void)
{
    begin();
    OK(driver->cuEventRecord(event, one));
    OK(driver->cuStreamWaitEvent(apart, event, 0));
    launch("store", one);
    OK(driver->cuEventRecord(event, one));
    OK(driver->cuMemsetD32Async(array, 0, COUNT, apart));
    end("Record an event in stream ");
}

static void the_default_stream_meets_blocking_streams(void)
{
    begin();
    launch("store", one);
    OK(driver->cuMemsetD32Async(array, 0, COUNT, NULL));
    launch("store", other);
    OK(driver->cuMemsetD32_v2(array, 0, COUNT));
    launch("store", CU_STREAM_PER_THREAD);
    OK(driver->cuMemsetD32Async(array, 0, COUNT, CU_STREAM_LEGACY));
    end(NULL);
}

static void the_default_stream_does_not_meet_others(void)
{
    begin();
    launch("store", NULL);
    OK(driver->cuMemsetD32Async(array, 0, COUNT, apart));
    end("A non-blocking stream and the default stream do not wait for each other.");
}

static void the_stream_of_a_thread_is_a_stream(void)
{
    begin();
    launch("store", CU_STREAM_PER_THREAD);
    OK(driver->cuMemsetD32Async(array, 0, COUNT, one));
    end("the default stream of a thread");
}

static void what_the_host_waits_for_is_done(void)
{
    begin();
    launch("store", one);
    OK(driver->cuStreamSynchronize(one));
    launch("store", other);
    OK(driver->cuEventRecord(event, other));
    OK(driver->cuEventSynchronize(event));
    launch("store", apart);
    OK(driver->cuStreamQuery(apart));
    launch("store", one);
    OK(driver->cuCtxSynchronize());
    launch("store", apart);
    end(NULL);
}

static void a_mistake_is_reported_once(void)
{
    begin();
    for (int turn = 0; turn < 3; turn++) {
        launch("store", one);
        OK(driver->cuMemsetD32Async(array, 0, COUNT, other));
        OK(driver->cuCtxSynchronize());
    }
    end("; cuMemsetD32Async (stream ");
}

static void a_flag_orders_kernels(void)
{
    begin();
    launch("signal", one);
    launch("await", other);
    end(NULL);
}

static void memory_is_freed_in_order(void)
{
    CUdeviceptr memory;
    begin();
    OK(driver->cuMemAllocAsync(&memory, BYTES, one));
    OK(driver->cuMemsetD32Async(memory, 0, COUNT, one));
    OK(driver->cuMemFreeAsync(memory, other));
    end("\"use_after_free\"");
}

static void more_streams_than_are_followed_are_silent(void)
{
    CUstream streams[300];
    begin();
    for (int i = 0; i < 300; i++) {
        OK(driver->cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING));
        launch("store", streams[i]);
        OK(driver->cuStreamSynchronize(streams[i]));
    }
    end(NULL);
}

/* ---- the schedule "late" ---- */

static void set_schedule(const char *name)
{
    lockstep_set_schedule_fn *set;
    void *found = driver_table_symbol("lockstepSetSchedule");
    memcpy(&set, &found, sizeof set);
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    CU_ASSERT_EQUAL(set(name), 0);
}

static void late_work_is_done_when_the_host_waits(void)
{
    unsigned *host, pageable[COUNT];
    begin();
    set_schedule("late");
    OK(driver->cuMemHostAlloc((void **)&host, BYTES, 0));
    memset(host, 0, BYTES);
    launch("store", one);
    OK(driver->cuMemcpyDtoHAsync_v2(host, array, BYTES, one));
    CU_ASSERT_EQUAL(host[5], 0);
    OK(driver->cuStreamSynchronize(one));
    CU_ASSERT_EQUAL(host[5], 5);
    memset(pageable, 1, sizeof pageable); /* read when the call returns */
    OK(driver->cuMemcpyHtoDAsync_v2(array, pageable, BYTES, one));
    memset(pageable, 2, sizeof pageable);
    OK(driver->cuEventRecord(event, one));
    OK(driver->cuStreamWaitEvent(apart, event, 0));
    OK(driver->cuMemcpyDtoHAsync_v2(host, array, BYTES, apart));
    CU_ASSERT_EQUAL(driver->cuStreamQuery(apart), CUDA_ERROR_NOT_READY);
    OK(driver->cuStreamQuery(apart));
    CU_ASSERT_EQUAL(host[5], 0x01010101);
    OK(driver->cuMemFreeHost(host));
    set_schedule("ascending");
    end(NULL);
}

static void late_work_meets_what_it_was_not_ordered_after(void)
{
    unsigned host[COUNT];
    begin();
    set_schedule("late");
    launch("store", apart);
    OK(driver->cuMemcpyDtoH_v2(host, array, BYTES));
    CU_ASSERT_EQUAL(host[5], 0);
    OK(driver->cuCtxSynchronize());
    OK(driver->cuMemcpyDtoH_v2(host, array, BYTES));
    CU_ASSERT_EQUAL(host[5], 5);
    set_schedule("ascending");
    end("kernel store (stream ");
}

static void late_work_of_a_destroyed_stream_and_memory_is_done(void)
{
    CUdeviceptr memory;
    unsigned host[COUNT];
    begin();
    set_schedule("late");
    OK(driver->cuMemAllocAsync(&memory, BYTES, one));
    OK(driver->cuMemsetD32Async(memory, 7, COUNT, one));
    OK(driver->cuMemcpyDtoDAsync_v2(array, memory, BYTES, one));
    OK(driver->cuMemFreeAsync(memory, one));
    OK(driver->cuStreamDestroy_v2(one));
    OK(driver->cuMemcpyDtoH_v2(host, array, BYTES));
    CU_ASSERT_EQUAL(host[COUNT - 1], 7);
    set_schedule("ascending");
    end(NULL);
}

static CUgraphNode add_store(CUgraph graph, CUgraphNode before)
{
    CUgraphNode node = NULL;
    void *parameters[] = {&array, &flag};
    CUDA_KERNEL_NODE_PARAMS kernel = {.gridDimX = 1,
                                      .gridDimY = 1,
                                      .gridDimZ = 1,
                                      .blockDimX = COUNT,
                                      .blockDimY = 1,
                                      .blockDimZ = 1,
                                      .kernelParams = parameters};
    OK(driver->cuModuleGetFunction(&kernel.func, module, "store"));
    OK(driver->cuGraphAddKernelNode_v2(&node, graph, &before, before ? 1 : 0, &kernel));
    return node;
}

static CUgraphNode add_fill(CUgraph graph, CUgraphNode before, CUdeviceptr target)
{
    CUgraphNode node = NULL;
    CUDA_MEMSET_NODE_PARAMS fill = {.dst = target, .value = 7, .elementSize = 4, .width = COUNT, .height = 1};
    OK(driver->cuGraphAddMemsetNode(&node, graph, &before, before ? 1 : 0, &fill, primary));
    return node;
}

static void launch_graph(CUgraph graph, CUstream stream, int times)
{
    CUgraphExec executable;
    OK(driver->cuGraphInstantiateWithFlags(&executable, graph, 0));
    while (times-- > 0)
        OK(driver->cuGraphLaunch(executable, stream));
    OK(driver->cuCtxSynchronize());
    OK(driver->cuGraphExecDestroy(executable));
    OK(driver->cuGraphDestroy(graph));
}

static void nodes_without_a_dependency_are_not_ordered(void)
{
    CUgraph graph;
    begin();
    OK(driver->cuGraphCreate(&graph, 0));
    add_store(graph, NULL);
    add_fill(graph, NULL, array);
    launch_graph(graph, NULL, 2);
    end("kernel store (node 0 of a graph, ");
}

static void dependencies_order_nodes_over_others(void)
{
    CUgraph graph;
    CUgraphNode empty, fill;
    begin();
    OK(driver->cuGraphCreate(&graph, 0));
    fill = add_fill(graph, add_store(graph, NULL), flag);
    OK(driver->cuGraphAddEmptyNode(&empty, graph, &fill, 1));
    add_fill(graph, empty, array);
    launch_graph(graph, one, 2);
    end(NULL);
}

static void nodes_that_use_other_bytes_need_no_dependency(void)
{
    CUgraph graph;
    begin();
    OK(driver->cuGraphCreate(&graph, 0));
    add_store(graph, NULL);
    add_fill(graph, NULL, flag);
    launch_graph(graph, NULL, 2);
    end(NULL);
}

static void a_child_graph_is_ordered_as_its_node_is(void)
{
    CUgraph graph, child;
    CUgraphNode node, after;
    begin();
    OK(driver->cuGraphCreate(&child, 0));
    add_fill(child, add_store(child, NULL), array);
    OK(driver->cuGraphCreate(&graph, 0));
    after = add_fill(graph, NULL, array);
    OK(driver->cuGraphAddChildGraphNode(&node, graph, &after, 1, child));
    add_fill(graph, node, array);
    OK(driver->cuGraphDestroy(child));
    launch_graph(graph, one, 1);
    end(NULL);
}

static void a_child_graph_meets_the_nodes_beside_it(void)
{
    CUgraph graph, child;
    CUgraphNode node;
    begin();
    OK(driver->cuGraphCreate(&child, 0));
    add_store(child, NULL);
    OK(driver->cuGraphCreate(&graph, 0));
    OK(driver->cuGraphAddChildGraphNode(&node, graph, NULL, 0, child));
    add_fill(graph, NULL, array);
    OK(driver->cuGraphDestroy(child));
    launch_graph(graph, one, 1);
    end("and nothing orders the two");
}

static const struct support_test tests[] = {
    SUPPORT_TEST(two_streams_are_not_ordered),
    SUPPORT_TEST(bytes_that_do_not_meet_need_no_order),
    SUPPORT_TEST(an_event_orders_what_came_before_it),
    SUPPORT_TEST(an_event_orders_through_a_third_stream),
    SUPPORT_TEST(a_wait_takes_the_event_as_it_was),
    SUPPORT_TEST(the_default_stream_meets_blocking_streams),
    SUPPORT_TEST(the_default_stream_does_not_meet_others),
    SUPPORT_TEST(the_stream_of_a_thread_is_a_stream),
    SUPPORT_TEST(what_the_host_waits_for_is_done),
    SUPPORT_TEST(a_mistake_is_reported_once),
    SUPPORT_TEST(a_flag_orders_kernels),
    SUPPORT_TEST(memory_is_freed_in_order),
    SUPPORT_TEST(late_work_is_done_when_the_host_waits),
    SUPPORT_TEST(late_work_meets_what_it_was_not_ordered_after),
    SUPPORT_TEST(late_work_of_a_destroyed_stream_and_memory_is_done),
    SUPPORT_TEST(nodes_without_a_dependency_are_not_ordered),
    SUPPORT_TEST(dependencies_order_nodes_over_others),
    SUPPORT_TEST(nodes_that_use_other_bytes_need_no_dependency),
    SUPPORT_TEST(a_child_graph_is_ordered_as_its_node_is),
    SUPPORT_TEST(a_child_graph_meets_the_nodes_beside_it),
    SUPPORT_TEST(more_streams_than_are_followed_are_silent),
};

int order_suite_register(void)
{
    return support_register_with("order", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}
