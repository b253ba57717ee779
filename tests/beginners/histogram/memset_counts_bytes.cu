// cause: Line 13: memset counts bytes, not ints, so only the first 64 of the 256 bins are set to zero and bins 64 to 255 stay rubbish.
// first: never_written before
// says: clear_bins, which runs before, leaves bins[64] unwritten
// asks: Which kernel sets it to zero?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    if (threadIdx.x == 0)
        memset(bins, 0, BINS);
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    counts[threadIdx.x] = 0;
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
