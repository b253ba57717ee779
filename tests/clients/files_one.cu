// A program of two files (nvcc -rdc=true): this one calls a device function and counts in a variable of the other.
#include <cstdio>

extern __device__ float scale(float x);
extern __device__ int counter;
int read_counter();

__global__ void scale_all(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) { // one too many
        a[i] = scale(a[i]);
        atomicAdd(&counter, 1);
    }
}

int main(int count, char **)
{
    const int n = count > 1 ? 128 : 99;
    float *device, host[100];
    for (int i = 0; i < 100; i++)
        host[i] = i;
    cudaMalloc(&device, sizeof host);
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    scale_all<<<1, 128>>>(device, n);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g %d\n", host[99], read_counter());
    cudaFree(device);
    return 0;
}
