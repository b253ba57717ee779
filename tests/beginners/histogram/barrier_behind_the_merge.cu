// cause: Line 37: the second barrier stands after the addition in line 36 instead of before it, so threads add bins into which other warps still count (race in shared memory).
// first: race_mixed
// says: no barrier between them
// asks: Which phase is each of them in?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    // One block of 256 threads, 256 bins.
    // --- your code ---
    bins[threadIdx.x] = 0;
    // --- end ---
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    // --- your code ---
    __shared__ int counts[BINS];
    counts[threadIdx.x] = 0;
    __syncthreads();
    // --- end ---

    // Count the block's ITEMS elements, from data[blockIdx.x * ITEMS] on. Neighbouring threads take neighbouring elements.
    // --- your code ---
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        if (blockIdx.x * ITEMS + k < n)
            atomicAdd(&counts[data[blockIdx.x * ITEMS + k]], 1);
    }
    // --- end ---

    // Add the block's bins to the bins of the whole grid.
    // --- your code ---
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
    __syncthreads();
    // --- end ---
}
