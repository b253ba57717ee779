// cause: the block's bins are added to the grid's in each turn of the loop, so early counts are added many times
// first: wrong_value each
// says: Atomic operations executed in this case: 31 at line 22 and 4096 at line 24.
// asks: By which ways does one element reach its bin, and how often?
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
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
        __syncthreads();
        atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
        __syncthreads();
    }
}
