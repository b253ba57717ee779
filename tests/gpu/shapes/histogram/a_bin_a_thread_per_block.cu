// each thread reads the block's 4096 elements and counts one value
#define ITEMS 4096

extern "C" __constant__ int histogram_items = 4096;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int t = threadIdx.x, count = 0;
    for (int i = blockIdx.x * ITEMS; i < n && i < (blockIdx.x + 1) * ITEMS; i++)
        count += data[i] == t;
    if (count > 0)
        atomicAdd(&bins[t], count);
}
