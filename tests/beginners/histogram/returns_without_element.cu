// cause: Line 21: threads without an element return before the barriers, so their bins are neither cleared nor added to the result.
// first: early_exit
// says: 255 threads of the block left at line 21 (the first is (1,0,0))
// asks: Which threads returned before a barrier? What were they supposed to do before it or after it?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int tid = threadIdx.x;
    int gid = blockIdx.x * ITEMS + tid;
    __shared__ int temp[BINS];

    if (gid >= n) return;

    temp[tid] = 0;
    __syncthreads();

    int limit = (blockIdx.x + 1) * ITEMS;
    for (; gid < limit && gid < n; gid += blockDim.x)
        atomicAdd(&temp[data[gid]], 1);
    __syncthreads();

    atomicAdd(&bins[tid], temp[tid]);
}
