// cause: Line 29: the addition of the block's bins stands under the guard i < n, which is about elements, not bins; in a block with fewer than 256 elements (n = 31, or the last block of n = 4097) the threads without an element do not add their bins.
// first: wrong_value tail
// says: histogram, which runs later, stores to bins[0..30] at line 30, and to no other element.
// asks: Which threads add those to the result?
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
    int tid = threadIdx.x;
    int i = blockIdx.x * ITEMS + tid;
    int last = min((blockIdx.x + 1) * ITEMS, n);

    counts[tid] = 0;
    __syncthreads();

    for (int k = i; k < last; k += 256) {
        atomicAdd(&counts[data[k]], 1);
    }
    __syncthreads();

    if (i < n) {
        atomicAdd(&bins[tid], counts[tid]);
    }
}
