/* Blocks that are larger than the kernel's launch bounds, or than the device allows (bounds.txt: an H200). */
#include <cstdio>

__global__ void __launch_bounds__(256) limited(float *out)
{
    out[threadIdx.x] = 1;
}

__global__ void unlimited(float *out)
{
    out[threadIdx.x] = 1;
}

int main()
{
    float *out;
    cudaMalloc(&out, 1025 * sizeof *out);
    for (int threads : {256, 257, 512, 1024, 1025}) {
        limited<<<1, threads>>>(out);
        cudaError_t first = cudaGetLastError();
        unlimited<<<1, threads>>>(out);
        cudaError_t second = cudaGetLastError();
        printf("%d: %s %s; %s\n", threads, cudaGetErrorName(first), cudaGetErrorName(second),
               cudaGetErrorName(cudaDeviceSynchronize()));
    }
    cudaFree(out);
    return 0;
}
