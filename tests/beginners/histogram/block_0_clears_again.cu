// cause: Line 21: block 0 clears the global bins in histogram once more, although other blocks may already have added their counts, which are lost then (race between blocks).
// first: race_mixed blocks
// says: (line 22); nothing orders the two blocks
// asks: What orders the two?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    const int t = threadIdx.x;

    counts[t] = 0;
    if (blockIdx.x == 0)
        bins[t] = 0;
    __syncthreads();

    for (int i = blockIdx.x * ITEMS + t; i < (blockIdx.x + 1) * ITEMS; i += 256)
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
    __syncthreads();

    atomicAdd(&bins[t], counts[t]);
}
