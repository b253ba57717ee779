// Loads PTX (the argument) with the runtime library's own calls, and launches a kernel of it. For clients_test.py.
#include <cstdio>
#include <vector>

#define SHOW(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__global__ void own(int *place)
{
    *place = 5;
}

int main(int, char **arguments)
{
    const int n = 1000;
    std::vector<float> a(n, 1.5f), b(n, 2.0f), c(n);
    cudaLibrary_t library;
    cudaKernel_t add, missing;
    cudaFuncAttributes attributes;
    unsigned count = 0;
    float *memory;
    SHOW(cudaLibraryLoadFromFile(&library, arguments[1], nullptr, nullptr, 0, nullptr, nullptr, 0));
    SHOW(cudaLibraryGetKernelCount(&count, library));
    std::vector<cudaKernel_t> kernels(count);
    SHOW(cudaLibraryEnumerateKernels(kernels.data(), count, library));
    SHOW(cudaLibraryGetKernel(&add, library, "vector_add"));
    SHOW(cudaLibraryGetKernel(&missing, library, "vector_ad"));
    SHOW(cudaFuncGetAttributes(&attributes, (const void *)add));
    SHOW(cudaKernelSetAttributeForDevice(add, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 0));
    cudaMalloc(&memory, 3 * n * sizeof *memory);
    cudaMemcpy(memory, a.data(), n * sizeof *memory, cudaMemcpyHostToDevice);
    cudaMemcpy(memory + n, b.data(), n * sizeof *memory, cudaMemcpyHostToDevice);
    float *parts[] = {memory, memory + n, memory + 2 * n};
    int length = n;
    void *values[] = {&parts[0], &parts[1], &parts[2], &length};
    SHOW(cudaLaunchKernel((const void *)add, dim3(4), dim3(256), values, 0, nullptr));
    cudaMemcpy(c.data(), parts[2], n * sizeof *memory, cudaMemcpyDeviceToHost);
    int place = 0;
    own<<<1, 1>>>((int *)memory); // the program's own kernels are still there
    cudaMemcpy(&place, memory, sizeof place, cudaMemcpyDeviceToHost);
    printf("%u kernels, %g, %g, %d, %d threads\n", count, c[0], c[n - 1], place, attributes.maxThreadsPerBlock);
    SHOW(cudaLibraryUnload(library));
    SHOW(cudaLaunchKernel((const void *)add, dim3(4), dim3(256), values, 0, nullptr));
    cudaFree(memory);
    return 0;
}
