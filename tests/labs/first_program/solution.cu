/* A program that adds two vectors.
 *
 * Input      standard input: n, then the n numbers of a, then those of b
 * Output     standard output: the n sums, and nothing else
 * Contract   The kernel computes the sums. Each input is copied to the device once, the result back once. What is allocated
 *            is freed. When a call of CUDA fails, the program prints a message on the standard error and ends with a status
 *            other than 0.
 */
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

// Every call of CUDA can fail. What should the program then do?
// --- your code ---
// Ends the program with a message when a call of the CUDA runtime fails.
#define CHECK(call)                                                                                      \
    do {                                                                                                 \
        cudaError_t error = (call);                                                                      \
        if (error != cudaSuccess) {                                                                      \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));          \
            std::exit(1);                                                                                \
        }                                                                                                \
    } while (0)
// --- end ---

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
    // Room on the device, the copies there, the launch, the copy back.
    // --- your code ---
    size_t bytes = n * sizeof(float);
    float *d_a, *d_b, *d_c;
    CHECK(cudaMalloc(&d_a, bytes));
    CHECK(cudaMalloc(&d_b, bytes));
    CHECK(cudaMalloc(&d_c, bytes));
    CHECK(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
    add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
    // --- end ---
    for (int i = 0; i < n; i++)
        std::printf("%.9g\n", c[i]);
    // What you have allocated goes back here.
    // --- your code ---
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    // --- end ---
    std::free(a);
    std::free(b);
    std::free(c);
    return 0;
}
