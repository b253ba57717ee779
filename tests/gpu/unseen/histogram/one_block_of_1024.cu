// one block of 1024 threads counts everything
#define ITEMS 16384

extern "C" __constant__ int histogram_items = 16384;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void __launch_bounds__(1024) histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[256];
    int t = threadIdx.x;
    if (blockIdx.x > 0)
        return;
    if (t < 256)
        counts[t] = 0;
    __syncthreads();
    for (int i = t; i < n; i += 1024)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();
    if (t < 256)
        atomicAdd(&bins[t], counts[t]);
}
