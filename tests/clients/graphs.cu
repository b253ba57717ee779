/* CUDA graphs and stream capture through the runtime: prints what comes out, the same on every device. */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#define CHECK(call)                                                        \
    do {                                                                   \
        cudaError_t error_ = (call);                                       \
        if (error_ != cudaSuccess) {                                       \
            printf("%d: %s\n", __LINE__, cudaGetErrorName(error_));        \
            return;                                                        \
        }                                                                  \
    } while (0)

enum { COUNT = 1000, BYTES = COUNT * sizeof(int), BLOCK = 256, GRID = (COUNT + BLOCK - 1) / BLOCK };

__device__ int step = 1;

__global__ void scale(int *data, int factor, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        data[i] *= factor;
}

__global__ void add_step(int *data, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        data[i] += step;
}

static int host[COUNT];

static void say(const char *what)
{
    printf("%s: %d %d\n", what, host[0], host[COUNT - 1]);
}

static void CUDART_CB count_up(void *data)
{
    ++*static_cast<int *>(data);
}

static void built_by_hand(void)
{
    int *data, factor = 3, count = COUNT, two = 2, calls = 0;
    cudaGraph_t graph, clone;
    cudaGraphNode_t fill, symbol, scaled, added, back, node;
    cudaGraphExec_t executable, of_clone;
    CHECK(cudaMalloc(&data, BYTES));
    CHECK(cudaGraphCreate(&graph, 0));
    cudaMemsetParams ones = {data, 0, 1, 4, COUNT, 1};
    CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &ones));
    CHECK(cudaGraphAddMemcpyNodeToSymbol(&symbol, graph, nullptr, 0, step, &two, sizeof two, 0, cudaMemcpyHostToDevice));
    void *arguments[] = {&data, &factor, &count};
    cudaKernelNodeParams kernel = {(void *)scale, dim3(GRID), dim3(BLOCK), 0, arguments, nullptr};
    CHECK(cudaGraphAddKernelNode(&scaled, graph, &fill, 1, &kernel));
    factor = 99; /* the node has a copy */
    void *others[] = {&data, &count};
    cudaKernelNodeParams adding = {(void *)add_step, dim3(GRID), dim3(BLOCK), 0, others, nullptr};
    cudaGraphNode_t both[] = {scaled, symbol};
    CHECK(cudaGraphAddKernelNode(&added, graph, both, 2, &adding));
    CHECK(cudaGraphAddMemcpyNode1D(&back, graph, &added, 1, host, data, BYTES, cudaMemcpyDeviceToHost));
    cudaHostNodeParams call = {count_up, &calls};
    CHECK(cudaGraphAddHostNode(&node, graph, &back, 1, &call));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, 0));
    CHECK(cudaDeviceSynchronize());
    say("by hand");
    cudaKernelNodeParams read;
    CHECK(cudaGraphKernelNodeGetParams(scaled, &read));
    printf("node: %d %u %d\n", read.func == (void *)scale, read.gridDim.x, *(int *)read.kernelParams[1]);
    factor = 5;
    CHECK(cudaGraphExecKernelNodeSetParams(executable, scaled, &kernel));
    CHECK(cudaGraphLaunch(executable, 0));
    CHECK(cudaDeviceSynchronize());
    say("changed in the executable");
    CHECK(cudaGraphClone(&clone, graph));
    CHECK(cudaGraphNodeFindInClone(&node, added, clone));
    CHECK(cudaGraphInstantiate(&of_clone, clone, 0));
    CHECK(cudaGraphNodeSetEnabled(of_clone, node, 0));
    CHECK(cudaGraphLaunch(of_clone, 0));
    CHECK(cudaDeviceSynchronize());
    say("clone without a node");
    CHECK(cudaGraphKernelNodeSetParams(scaled, &kernel));
    cudaGraphExecUpdateResultInfo info;
    cudaError_t error = cudaGraphExecUpdate(of_clone, graph, &info);
    printf("update: %s %d, host function called %d times\n", cudaGetErrorName(error), info.result, calls);
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphExecDestroy(of_clone));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphDestroy(clone));
    CHECK(cudaFree(data));
}

static void captured(void)
{
    int *data;
    cudaStream_t one, two;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamCaptureStatus status;
    size_t nodes = 0;
    CHECK(cudaMalloc(&data, BYTES));
    CHECK(cudaMemset(data, 0, BYTES));
    CHECK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&join));
    CHECK(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemsetAsync(data, 0, BYTES, one));
    add_step<<<GRID, BLOCK, 0, one>>>(data, COUNT);
    CHECK(cudaEventRecord(fork, one));
    CHECK(cudaStreamWaitEvent(two, fork, 0));
    scale<<<GRID / 2, BLOCK, 0, two>>>(data, 10, COUNT);
    CHECK(cudaEventRecord(join, two));
    CHECK(cudaStreamWaitEvent(one, join, 0));
    CHECK(cudaMemcpyAsync(host, data, BYTES, cudaMemcpyDeviceToHost, one));
    CHECK(cudaStreamIsCapturing(two, &status));
    memset(host, 0, sizeof host);
    CHECK(cudaStreamEndCapture(one, &graph));
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    printf("captured: %d, %zu nodes, nothing has run: %d\n", status, nodes, host[0]);
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, one));
    CHECK(cudaGraphLaunch(executable, one));
    CHECK(cudaStreamSynchronize(one));
    say("two launches");
    CHECK(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
    int *never;
    cudaError_t refused = cudaMalloc(&never, BYTES), ended = cudaStreamEndCapture(one, &graph);
    printf("cudaMalloc: %s, then: %s\n", cudaGetErrorName(refused), cudaGetErrorName(ended));
    cudaGetLastError();
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaStreamDestroy(one));
    CHECK(cudaStreamDestroy(two));
    CHECK(cudaFree(data));
}

static void with_memory(void)
{
    int factor = 4, count = COUNT;
    cudaGraph_t graph;
    cudaGraphNode_t made, fill, scaled, back, gone;
    cudaGraphExec_t executable;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphNodeParams memory = {};
    memory.type = cudaGraphNodeTypeMemAlloc;
    memory.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.alloc.bytesize = BYTES;
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphAddNode(&made, graph, nullptr, nullptr, 0, &memory));
#else
    CHECK(cudaGraphAddNode(&made, graph, nullptr, 0, &memory));
#endif
    void *data = memory.alloc.dptr;
    cudaMemsetParams ones = {data, 0, 1, 4, COUNT, 1};
    CHECK(cudaGraphAddMemsetNode(&fill, graph, &made, 1, &ones));
    void *arguments[] = {&data, &factor, &count};
    cudaKernelNodeParams kernel = {(void *)scale, dim3(GRID), dim3(BLOCK), 0, arguments, nullptr};
    CHECK(cudaGraphAddKernelNode(&scaled, graph, &fill, 1, &kernel));
    CHECK(cudaGraphAddMemcpyNode1D(&back, graph, &scaled, 1, host, data, BYTES, cudaMemcpyDeviceToHost));
    CHECK(cudaGraphAddMemFreeNode(&gone, graph, &back, 1, data));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, 0));
    CHECK(cudaGraphLaunch(executable, 0));
    CHECK(cudaDeviceSynchronize());
    say("memory of the graph");
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
}

int main()
{
    built_by_hand();
    captured();
    with_memory();
    return 0;
}
