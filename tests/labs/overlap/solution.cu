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
    const int pieces = 4;
    cudaStream_t streams[pieces];
    int size = (n + pieces - 1) / pieces;
    for (int k = 0; k < pieces; k++)
        check(cudaStreamCreate(&streams[k]), "stream");
    for (int k = 0; k < pieces && k * size < n; k++) {
        int at = k * size, count = n - at < size ? n - at : size;
        check(cudaMemcpyAsync(d_in + at, in + at, count * sizeof(float), cudaMemcpyHostToDevice, streams[k]), "copy");
        square<<<(count + 255) / 256, 256, 0, streams[k]>>>(d_in + at, d_out + at, count);
        check(cudaGetLastError(), "launch");
        check(cudaMemcpyAsync(out + at, d_out + at, count * sizeof(float), cudaMemcpyDeviceToHost, streams[k]), "back");
    }
    for (int k = 0; k < pieces; k++)
        check(cudaStreamSynchronize(streams[k]), "wait");
    // --- end ---
    for (int i = 0; i < n; i++)
        std::printf("%g\n", out[i]);
    // --- your code ---
    for (int k = 0; k < pieces; k++)
        check(cudaStreamDestroy(streams[k]), "stream");
    // --- end ---
    check(cudaFree(d_in), "free");
    check(cudaFree(d_out), "free");
    check(cudaFreeHost(in), "free");
    check(cudaFreeHost(out), "free");
    return 0;
}
