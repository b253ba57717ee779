// cause: Line 21: the start of the block is blockIdx.x * blockDim.x (256 elements a block), but each block counts ITEMS = 4096 elements from there, so the blocks overlap (n > 4096): elements are counted by several blocks, and with large n the end of data is not reached.
// first: x
// says: x
// asks: x
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

    int first = blockIdx.x * blockDim.x;
    int k = threadIdx.x;
    do {
        int i = first + k;
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
        k += blockDim.x;
    } while (k < ITEMS);
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
