// Goes to one place that frees everything, whatever happened.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define TRY(call)                        \
    do {                                 \
        status = (call);                 \
        if (status != cudaSuccess) {     \
            goto done;                   \
        }                                \
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
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    cudaError_t status;
    int threads = 256, blocks = (n + threads - 1) / threads;
    TRY(cudaMalloc(&d_a, bytes));
    TRY(cudaMalloc(&d_b, bytes));
    TRY(cudaMalloc(&d_c, bytes));
    TRY(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
    vector_add<<<blocks, threads>>>(d_a, d_b, d_c, n);
    TRY(cudaGetLastError());
    TRY(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        printf("%.9g\n", c[i]);
    }

done:
    if (status != cudaSuccess) {
        fprintf(stderr, "vector_add: %s\n", cudaGetErrorString(status));
    }
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    free(a);
    free(b);
    free(c);
    return status == cudaSuccess ? 0 : 1;
}
