// the first warp of each block counts
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
    if (t < 32)
        for (int k = t; k < ITEMS; k += 32) {
            int i = blockIdx.x * ITEMS + k;
            if (i < n)
                atomicAdd(&counts[data[i]], 1);
        }
    __syncthreads();
    if (counts[t] > 0)
        atomicAdd(&bins[t], counts[t]);
}
