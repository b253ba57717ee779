// expect: pass - lanes with equal values elect one that adds for all of them
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < ITEMS; k += 256) {
        int i = blockIdx.x * ITEMS + k;
        int value = i < n ? data[i] : -1;
        unsigned same = __match_any_sync(0xffffffffu, value);
        bool first = __ffs(same) - 1 == threadIdx.x % 32;
        if (value >= 0 && first) {
            atomicAdd(&counts[value], __popc(same));
        }
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
