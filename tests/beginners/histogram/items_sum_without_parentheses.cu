// cause: `#define ITEMS 4096 + 4096`: without parentheses blockIdx.x * ITEMS is blockIdx.x * 4096 + 4096, so block 0 begins at element 4096, the first 4096 are never counted and others twice.
// first: wrong_value none
// says: Line 25 depends on the condition in line 24: if (i < n).
// asks: Line 23 first: What does this line say once the name is replaced by the text of its definition?
/* Lab 06: two helpings of 4096 per block */
#define BINS 256
#define ITEMS 4096 + 4096

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

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
