// expect: wrong_value - the launch expects 1024 elements per block, the loop counts 4096
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = 1024;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    int t = threadIdx.x;
    counts[t] = 0;
    __syncthreads();
    int first = blockIdx.x * histogram_items;
    for (int i = first + t; i < first + ITEMS && i < n; i += blockDim.x)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();
    atomicAdd(&bins[t], counts[t]);
}
