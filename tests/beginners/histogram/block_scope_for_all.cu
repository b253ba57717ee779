// cause: Line 31: atomicAdd_block is atomic only with respect to the threads of the same block, but all blocks add to the same global bins (scope too narrow).
// first: race_scope
// says: (line 31); the scope of one covers only its own block
// asks: does the scope include them all?
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
    counts[threadIdx.x] = 0;
    __syncthreads();

    int i0 = blockIdx.x * ITEMS + threadIdx.x;
    #pragma unroll 4
    for (int r = 0; r < ITEMS / 256; r++) {
        int i = i0 + 256 * r;
        if (i < n)
            atomicAdd_block(&counts[data[i]], 1);
    }
    __syncthreads();

    // the whole block adds its bins
    atomicAdd_block(&bins[threadIdx.x], counts[threadIdx.x]);
}
