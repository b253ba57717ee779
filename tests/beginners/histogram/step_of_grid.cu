// cause: Line 27: the threads step by gridDim.x (the number of blocks) instead of blockDim.x, so the threads of a block count each other's elements again.
// first: wrong_value counted_in_block
// says: i grows by gridDim.x = 1.
// asks: Which thread should count data[1], and which should not?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int cnt[BINS];
    int tid = threadIdx.x;

    cnt[tid] = 0;
    __syncthreads();

    int i = blockIdx.x * ITEMS + tid;
    int end = min((int)blockIdx.x * ITEMS + ITEMS, n);
    while (i < end) {
        atomicAdd(&cnt[data[i]], 1);
        i += gridDim.x;
    }
    __syncthreads();

    if (cnt[tid])
        atomicAdd(&bins[tid], cnt[tid]);
}
