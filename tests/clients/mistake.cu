// A program with a mistake: one thread too many writes. `lockstep exec` must name this file and the line.
#include <cstdio>

__global__ void twice(float *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        values[i] = 2 * i;   // line 8
}

int main()
{
    float *values;
    cudaMalloc(&values, 1000 * sizeof(float));
    twice<<<4, 256>>>(values, 1000);
    printf("launch: %s\n", cudaGetErrorName(cudaGetLastError()));
    printf("synchronise: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("free: %s\n", cudaGetErrorName(cudaFree(values)));
    printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
    return 0;
}
