// cause: memset counts bytes: 512 of them are half of the bins
// first: uninitialized bytes
// says: In this block, only the cells 0 to 127 of counts get a first value, by the memset in line 19, which counts bytes.
// asks: How many bytes does the memset in the message set, and how many does counts have?
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
    if (threadIdx.x == 0)
        memset(counts, 0, 2 * BINS);
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
