// expect: compile line=11 - a program of its own with main, and the kernel under another name
#include <stdio.h>
#include <cuda_runtime.h>

__global__ void doubleElements(float *a, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) a[i] *= 2;
}

int main()
{
    float *a;
    int N = 1000;
    cudaMallocManaged(&a, N * sizeof(float));
    doubleElements<<<(N + 255) / 256, 256>>>(a, N);
    cudaDeviceSynchronize();
    printf("%f\n", a[0]);
    cudaFree(a);
    return 0;
}
