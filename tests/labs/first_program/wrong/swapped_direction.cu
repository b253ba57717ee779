// expect: call_failed copy line=47 - the direction of the first copy is the wrong way round, and its status is not looked at
// Reads n and two arrays of n numbers from standard input, adds them on the GPU, and prints the n sums, one per line.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

// Ends the program with a message when a call of the CUDA runtime fails.
#define CHECK(call)                                                                                      \
    do {                                                                                                 \
        cudaError_t error = (call);                                                                      \
        if (error != cudaSuccess) {                                                                      \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));          \
            std::exit(1);                                                                                \
        }                                                                                                \
    } while (0)

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

static float *read_array(int n)
{
    float *array = (float *)std::malloc(n * sizeof(float));
    for (int i = 0; i < n; i++)
        if (!array || std::scanf("%f", &array[i]) != 1) {
            std::fprintf(stderr, "the input is too short\n");
            std::exit(1);
        }
    return array;
}

int main()
{
    int n;
    if (std::scanf("%d", &n) != 1)
        return 1;
    float *a = read_array(n), *b = read_array(n), *c = (float *)std::malloc(n * sizeof(float));
    size_t bytes = n * sizeof(float);
    float *d_a, *d_b, *d_c;
    CHECK(cudaMalloc(&d_a, bytes));
    CHECK(cudaMalloc(&d_b, bytes));
    CHECK(cudaMalloc(&d_c, bytes));
    cudaMemcpy(d_a, a, bytes, cudaMemcpyDeviceToHost);
    CHECK(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
    add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        std::printf("%.9g\n", c[i]);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    std::free(a);
    std::free(b);
    std::free(c);
    return 0;
}
