// Copies of host memory that the program has freed, or never had. For clients_test.py.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

static float *make_staging(size_t bytes)
{
    float *staging;
    cudaMallocHost(&staging, bytes);
    memset(staging, 0, bytes);
    return staging;
}

static void print(const char *what, cudaError_t error)
{
    printf("%s %s\n", what, cudaGetErrorName(error));
}

int main(int, char **arguments)
{
    size_t bytes = 1 << 16;
    float *values, *staging = make_staging(bytes);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&values, bytes);
    if (strcmp(arguments[1], "copy") == 0) {
        cudaMemcpyAsync(values, staging, bytes, cudaMemcpyHostToDevice, stream);
        cudaFreeHost(staging); // waits for the first copy
        print("copy", cudaMemcpyAsync(values, staging, bytes, cudaMemcpyHostToDevice, stream)); // comes too late
    } else if (strcmp(arguments[1], "graph") == 0) {
        cudaGraph_t graph;
        cudaGraphExec_t ready;
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        cudaMemcpyAsync(values, staging, bytes, cudaMemcpyHostToDevice, stream);
        cudaStreamEndCapture(stream, &graph);
        cudaGraphInstantiate(&ready, graph, 0);
        cudaGraphDestroy(graph);
        cudaFreeHost(staging); // before the graph has run
        cudaGraphLaunch(ready, stream);
        cudaGraphExecDestroy(ready);
    } else {
        void *gone = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(gone, bytes, PROT_NONE);
        print("copy", cudaMemcpy(gone, values, bytes, cudaMemcpyDeviceToHost)); // cannot be written
        cudaFreeHost(staging);
    }
    cudaStreamSynchronize(stream);
    cudaFree(values);
    cudaStreamDestroy(stream);
    return 0;
}
