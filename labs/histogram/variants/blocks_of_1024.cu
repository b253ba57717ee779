// expect: pass - blocks of 1024 by __launch_bounds__, so most threads have no bin
#define BLOCK 1024
#define ITEMS (16 * BLOCK)

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void __launch_bounds__(BLOCK) histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[256];
    const int t = threadIdx.x;
    if (t < 256)
        counts[t] = 0;
    __syncthreads();
    for (int i = blockIdx.x * ITEMS + t, end = min(n, (int)(blockIdx.x + 1) * ITEMS); i < end; i += BLOCK)
        atomicAdd(counts + data[i], 1);
    __syncthreads();
    if (t < 256 && counts[t] != 0)
        atomicAdd(bins + t, counts[t]);
}
