// cause: `const int t = threadIdx.y * blockDim.y + threadIdx.x;` multiplies the row by the number of rows (8) instead of the row length (32), so t runs only from 0 to 87: several threads have the same t, elements are counted several times or not at all, and the bins from 88 on are never cleared or added.
// first: uninitialized atomic_shared
// says: In this block, only the cells 0 to 87 of counts get a first value, at line 23.
// asks: Line 20 first: How many threads lie between one row of the block and the next one?
/* Lab 06: one warp per row of the block */
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __constant__ int histogram_block[3] = {32, 8, 1};

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    const int t = threadIdx.y * blockDim.y + threadIdx.x;
    const int threads = blockDim.x * blockDim.y;

    counts[t] = 0;
    __syncthreads();

    for (int k = t; k < ITEMS; k += threads) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    atomicAdd(&bins[t], counts[t]);
}
