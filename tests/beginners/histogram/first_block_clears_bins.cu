// cause: Line 22: block 0 clears the bins of the whole grid again inside histogram, without any order between blocks, so counts that other blocks have already added are lost (n > 4096).
// first: race_mixed blocks
// says: (line 22); nothing orders the two blocks.
// asks: One block uses an atomic operation on bins, another block a plain access. What orders the two?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int s_bins[BINS];
    int x = threadIdx.x;

    // set everything to 0 first
    s_bins[x] = 0;
    if (blockIdx.x == 0) bins[x] = 0;
    __syncthreads();

    for (int k = 0; k < ITEMS / BINS; k++) {
        int i = blockIdx.x * ITEMS + k * BINS + x;
        if (i < n)
            atomicAdd(&s_bins[data[i]], 1);
    }
    __syncthreads();

    // and now into the big histogram
    if (s_bins[x] > 0)
        atomicAdd(&bins[x], s_bins[x]);
}
