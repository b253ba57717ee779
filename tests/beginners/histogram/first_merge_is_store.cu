// cause: `if (bins[b] == 0) bins[b] = counts[b]; else atomicAdd(...)`: between the test and the plain store another block can store or add to the same bin, whose count is then lost (race in global memory from n = 4097 on).
// first: race_global no_block
// says: (line 32); blockIdx is not in the index, so every block uses the same elements
// asks: All blocks come to the same places in bins. What happens when two of them change one at the same moment?
/* Lab 06 */
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
    const int b = threadIdx.x;
    counts[b] = 0;
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        const int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    // a store is cheaper than an atomic: the first one at a bin can just store
    if (bins[b] == 0)
        bins[b] = counts[b];
    else
        atomicAdd(&bins[b], counts[b]);
}
