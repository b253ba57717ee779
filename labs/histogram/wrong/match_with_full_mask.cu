// expect: sync_mask line=18 - names all 32 lanes in an iteration that some lanes skip
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
    int t = threadIdx.x;
    counts[t] = 0;
    __syncthreads();
    int first = blockIdx.x * ITEMS;
    for (int i = first + t; i < first + ITEMS && i < n; i += blockDim.x) {
        int v = data[i];
        unsigned peers = __match_any_sync(0xffffffff, v);
        if (__ffs(peers) - 1 == t % 32)
            atomicAdd(&counts[v], __popc(peers));
    }
    __syncthreads();
    atomicAdd(&bins[t], counts[t]);
}
