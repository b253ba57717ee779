// Managed memory: host and device use one address, and the driver moves the data.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define CHECK(call)                                                                               \
    do {                                                                                          \
        cudaError_t status = (call);                                                              \
        if (status != cudaSuccess) {                                                              \
            fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(status));    \
            exit(1);                                                                              \
        }                                                                                         \
    } while (0)

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}

static float *read_array(int n)
{
    float *array;
    CHECK(cudaMallocManaged(&array, n * sizeof(float)));
    for (int i = 0; i < n; i++) {
        if (scanf("%f", &array[i]) != 1) {
            fprintf(stderr, "too few numbers\n");
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
    float *c;
    CHECK(cudaMallocManaged(&c, n * sizeof(float)));

    int threads = 256;
    int blocks = (n + threads - 1) / threads;
    vector_add<<<blocks, threads>>>(a, b, c, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());

    for (int i = 0; i < n; i++) {
        printf("%.9g\n", c[i]);
    }

    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    return 0;
}
