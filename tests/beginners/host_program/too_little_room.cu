// cause: allocates n bytes instead of n floats; no status is looked at
// first: call_failed copy
// says: would write 4 bytes from byte 0
// asks: 
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

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
    cudaMalloc(&d_a, n);
    cudaMalloc(&d_b, n);
    cudaMalloc(&d_c, n);
    cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);

    int threads = 256;
    int blocks = (n + threads - 1) / threads;
    vector_add<<<blocks, threads>>>(d_a, d_b, d_c, n);
    cudaGetLastError();
    cudaDeviceSynchronize();

    cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);

    for (int i = 0; i < n; i++) {
        printf("%.9g\n", c[i]);
    }

    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    free(a);
    free(b);
    free(c);
    return 0;
}
