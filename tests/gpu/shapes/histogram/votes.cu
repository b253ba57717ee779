// lanes with one value agree on the one that counts them
#define ITEMS 8192

extern "C" __constant__ int histogram_items = 8192;

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
    for (int k = t; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        unsigned here = __ballot_sync(0xffffffffu, i < n);
        if (i < n) {
            unsigned same = __match_any_sync(here, data[i]);
            if (__ffs(same) - 1 == t % 32)
                atomicAdd(&counts[data[i]], __popc(same));
        }
    }
    __syncthreads();
    if (counts[t] > 0)
        atomicAdd(&bins[t], counts[t]);
}
