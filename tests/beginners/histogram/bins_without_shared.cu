// cause: Line 17: counts is declared without __shared__, so each thread counts into an array of its own (on which an atomic operation is not even defined) and line 31 adds only the count of one value from that thread's own elements; all other counts are lost.
// first: assert atomic_local
// says: which line 17 declares without __shared__: each thread has its own
// asks: one for the block, or one for each thread?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int counts[BINS];
    for (int b = 0; b < BINS; b++) {
        counts[b] = 0;
    }
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n) {
            atomicAdd(&counts[data[i]], 1);
        }
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
