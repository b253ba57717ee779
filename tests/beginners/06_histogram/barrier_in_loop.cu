// cause: a barrier under the guard of the loop
// first: early_exit passed_by
// says: 255 threads of the block left at line 17 (the first is (1,0,0)); only one goes on to the barrier at line 19
// asks: Some threads reach the end of the kernel, but never this barrier. Which if or loop around the barrier keeps them
extern "C" __constant__ int histogram_items = 4096;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int k = threadIdx.x; blockIdx.x * 4096 + k < n && k < 4096; k += 256) {
        atomicAdd(&counts[data[blockIdx.x * 4096 + k]], 1);
        __syncthreads();
    }
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
