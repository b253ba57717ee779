// cause: atomicExch replaces the bin instead of adding to it, so only the block that comes last is left.
// first: wrong_value replaced
// says: Every bin holds what one block alone counts, never the sum of several:
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
    int t = threadIdx.x;
    counts[t] = 0;
    __syncthreads();

    int begin = blockIdx.x * ITEMS, end = min(begin + ITEMS, n);
    for (int i = begin + t; i < end; i += blockDim.x) {
        atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    int total = counts[t];
    if (total > 0) {
        atomicExch(&bins[t], total);    // write it safely
    }
}
