// cause: histogram_items promises 8192 elements a block, but a block counts only ITEMS = 4096
// first: wrong_value not_counted
// says: By histogram_items, a block is to count 8192 elements.
// asks: Which thread counts data[4096]?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = 8192;

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
