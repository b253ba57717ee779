// cause: `__syncwarp();` after `if (threadIdx.x < 32)` has cleared the bins: the first warp clears all bins, but nothing makes the other seven warps wait for it, so they may count before the bins are zero (race with an atomic operation).
// first: race_mixed
// says: (line 24) and changed atomically by thread (32,0,0) (line 31); no barrier between them.
// asks: A plain access meets an atomic one. Which phase is each of them in?
/* Lab 06: the first warp cleans up for all */
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    if (threadIdx.x < 32)
        for (int b = threadIdx.x; b < BINS; b += 32)
            bins[b] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];

    if (threadIdx.x < 32) {
        for (int b = threadIdx.x; b < BINS; b += 32)
            counts[b] = 0;
    }
    __syncwarp();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
