// cause: Line 22: each warp clears only the first 32 of its 256 bins, one per lane; bins 32 to 255 of every copy start as rubbish.
// first: uninitialized atomic_shared
// says: In this block, only the cells 0 to 31 of counts[0] get a first value, at line 22.
// asks: An atomic operation changes the cell of counts in the message. Which line should give that cell its first value?
#define BINS 256
#define NWARPS 8
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[NWARPS][BINS];
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;

    counts[warp][lane] = 0;     // each warp clears its own row
    __syncthreads();

    int end = min((int)(blockIdx.x * ITEMS) + ITEMS, n);
    for (int i = blockIdx.x * ITEMS + threadIdx.x; i < end; i += 32 * NWARPS)
        atomicAdd(&counts[warp][data[i]], 1);
    __syncthreads();

    int sum = 0;
    for (int w = 0; w < NWARPS; w++)
        sum += counts[w][threadIdx.x];
    atomicAdd(&bins[threadIdx.x], sum);
}
