// cause: Line 26: the mask names all 32 lanes, but in the last, ragged turn only the lanes with i < end are in the loop; the others never reach this call.
// first: sync_mask
// says: the mask 0xffffffff names lane 1, which waits at line 31
// asks: Which lanes does the mask name, and which of them arrive at this line?
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
    int lane = threadIdx.x & 31;

    counts[threadIdx.x] = 0;
    __syncthreads();

    int end = min((int)(blockIdx.x + 1) * ITEMS, n);
    for (int i = blockIdx.x * ITEMS + threadIdx.x; i < end; i += 256) {
        int v = data[i];
        unsigned peers = __match_any_sync(0xffffffff, v);
        int leader = __ffs(peers) - 1;
        if (lane == leader)
            atomicAdd(&counts[v], __popc(peers));
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
