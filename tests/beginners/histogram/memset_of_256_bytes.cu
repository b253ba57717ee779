// cause: Line 20: memset counts bytes, so 256 bytes are only the first 64 bins; bins 64 to 255 of the block start as rubbish.
// first: uninitialized bytes
// says: In this block, only the cells 0 to 63 of counts get a first value, by the memset in line 20, which counts bytes.
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
        memset(counts, 0, BINS);
    __syncthreads();

    int lo = blockIdx.x * ITEMS;
    int hi = lo + ITEMS < n ? lo + ITEMS : n;
    for (int i = lo + threadIdx.x; i < hi; i += blockDim.x)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
