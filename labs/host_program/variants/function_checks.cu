// A function instead of a macro.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

static void check(cudaError_t status, const char *what)
{
    if (status == cudaSuccess) {
        return;
    }
    fprintf(stderr, "%s: %s (%s)\n", what, cudaGetErrorName(status), cudaGetErrorString(status));
    exit(EXIT_FAILURE);
}

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}

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

    size_t bytes = n * sizeof(float);
    float *d_a, *d_b, *d_c;
    check(cudaMalloc(&d_a, bytes), "room for a");
    check(cudaMalloc(&d_b, bytes), "room for b");
    check(cudaMalloc(&d_c, bytes), "room for c");
    check(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice), "copy");
    check(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice), "copy");

    int threads = 256;
    int blocks = (n + threads - 1) / threads;
    vector_add<<<blocks, threads>>>(d_a, d_b, d_c, n);
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "kernel");

    check(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost), "copy");

    for (int i = 0; i < n; i++) {
        printf("%.9g\n", c[i]);
    }

    check(cudaFree(d_a), "free");
    check(cudaFree(d_b), "free");
    check(cudaFree(d_c), "free");
    free(a);
    free(b);
    free(c);
    return 0;
}
