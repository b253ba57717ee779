// cause: Line 15: the block has only 128 threads, but lines 20 and 28 clear and merge one bin per thread, so bins 128 to 255 are never cleared nor added up.
// first: uninitialized atomic_shared
// says: In this block, only the cells 0 to 127 of counts get a first value, at line 20. The block has 128 threads.
// asks: An atomic operation changes the cell of counts in the message. Which line should give that cell its first value?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void __launch_bounds__(128) histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    int t = threadIdx.x;

    counts[t] = 0;
    __syncthreads();

    int end = min((int)(blockIdx.x * ITEMS + ITEMS), n);
    for (int i = blockIdx.x * ITEMS + t; i < end; i += blockDim.x)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();

    atomicAdd(&bins[t], counts[t]);
}
