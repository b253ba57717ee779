// cause: Line 24: the loop ends only when i is exactly end, but i goes in steps of 256 from a different start in each thread, so nearly all threads jump over end and read on beyond the data.
// first: out_of_bounds differs
// says: read data[2], but data has 1 element (0..0)
// asks: For which threads does the loop's variable come to exactly the number that ends the loop?
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

    int end = blockIdx.x * ITEMS + ITEMS;
    if (end > n)
        end = n;
    for (int i = blockIdx.x * ITEMS + threadIdx.x; i != end; i += blockDim.x)
        atomicAdd(&counts[data[i]], 1);

    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
