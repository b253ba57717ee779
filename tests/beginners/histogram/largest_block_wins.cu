// cause: atomicMax keeps the largest count of any block; the counts of the blocks must be added
// first: wrong_value replaced
// says: Every bin holds what one block alone counts, never the sum of several
// asks: What does the line that hands over a block's counts do with what is in the bin already?
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
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();
    atomicMax(&bins[threadIdx.x], counts[threadIdx.x]);
}
