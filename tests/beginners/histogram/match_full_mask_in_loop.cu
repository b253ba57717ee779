// cause: Line 26: __match_any_sync names all 32 lanes, but in the last turn lanes whose i is beyond n have left the loop and do not take part (mismatched lane mask, undefined or a deadlock).
// first: sync_mask
// says: the mask 0xffffffff names lane 1, which waits at line 30
// asks: which of them arrive at this line?
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

    int lane = threadIdx.x & 31;
    int end = min(n, (int)(blockIdx.x + 1) * ITEMS);

    for (int i = blockIdx.x * ITEMS + threadIdx.x; i < end; i += blockDim.x) {
        int v = data[i];
        unsigned peers = __match_any_sync(0xffffffff, v);
        if (lane == __ffs(peers) - 1)
            atomicAdd(&counts[v], __popc(peers));
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
