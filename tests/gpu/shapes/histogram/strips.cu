// each thread has 16 neighbouring elements
#define ITEMS 4096

extern "C" __constant__ int histogram_items = 4096;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[256];
    int t = threadIdx.x;
    counts[t] = 0;
    __syncthreads();
    int first = blockIdx.x * ITEMS + 16 * t;
    for (int i = first; i < first + 16 && i < n; i++)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();
    if (counts[t] > 0)
        atomicAdd(&bins[t], counts[t]);
}
