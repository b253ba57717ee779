// Squares the numbers of an array in pieces: while one piece is computed, others are copied.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}

__global__ void square(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * in[i];
}

int main()
{
    int n;
    if (std::scanf("%d", &n) != 1)
        return 1;
    size_t bytes = n * sizeof(float);
    float *in, *out, *d_in, *d_out;
    check(cudaMallocHost(&in, bytes), "input");
    check(cudaMallocHost(&out, bytes), "output");
    check(cudaMalloc(&d_in, bytes), "input on the device");
    check(cudaMalloc(&d_out, bytes), "output on the device");
    for (int i = 0; i < n; i++)
        if (std::scanf("%f", &in[i]) != 1)
            return 1;
    // The pieces and their streams.
    // --- your code ---
    // --- end ---
    for (int i = 0; i < n; i++)
        std::printf("%g\n", out[i]);
    // --- your code ---
    // --- end ---
    check(cudaFree(d_in), "free");
    check(cudaFree(d_out), "free");
    check(cudaFreeHost(in), "free");
    check(cudaFreeHost(out), "free");
    return 0;
}
