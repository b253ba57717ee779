// cause: Line 10: counts is a __device__ array in global memory, one for the whole grid, not one per block; the blocks clear it, count in it and add it up at the same time (race, wrong counts when n > 4096).
// first: race_global blocks
// says: nothing orders the two blocks
// asks: Two blocks use the same element of counts. What makes one wait for the other?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

__device__ int counts[BINS];        // the block's bins

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int t = threadIdx.x;

    counts[t] = 0;
    __syncthreads();

    int first = blockIdx.x * ITEMS;
    for (int k = t; k < ITEMS; k += blockDim.x)
        if (first + k < n)
            atomicAdd(&counts[data[first + k]], 1);
    __syncthreads();

    atomicAdd(&bins[t], counts[t]);
}
