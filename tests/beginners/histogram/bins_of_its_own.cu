// cause: line 17: mine is an array of each thread, for which an atomic operation has no meaning
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
    int mine[BINS] = {0};
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(mine + data[i], 1);
    }
    for (int b = 0; b < BINS; b++)
        if (mine[b] > 0)
            atomicAdd(&bins[b], mine[b]);
}
