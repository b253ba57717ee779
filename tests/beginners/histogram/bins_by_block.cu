// cause: each block clears and counts in bins, merging by =
// first: race_warp update
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: What happens when both read it before either writes?
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
    for (int k = threadIdx.x; k < 4096; k += 256)
        if (blockIdx.x * 4096 + k < n)
            counts[data[blockIdx.x * 4096 + k]]++;
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
