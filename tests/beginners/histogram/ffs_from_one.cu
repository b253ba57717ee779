// cause: `if (lane == __ffs(peers))`: __ffs counts bits from 1, so the lane after the first of the equal lanes is asked for; it adds only if it happens to have the same value, and a value that occurs once in a warp is never counted.
// first: wrong_value none
// says: Line 30 depends on the conditions in line 28, if (lane == __ffs(peers)), and line 29, if (v >= 0).
// asks: Where does the way from data to bins end?
/* Lab 06: lanes with the same value elect one of them, which adds for all */
#define BINS 256
#define ITEMS 4096
#define FULL 0xffffffffu

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    int lane = threadIdx.x % 32;
    counts[threadIdx.x] = 0;
    __syncthreads();

    for (int k = 0; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k + threadIdx.x;
        int v = i < n ? data[i] : -1;
        unsigned peers = __match_any_sync(FULL, v);
        if (lane == __ffs(peers)) {
            if (v >= 0)
                atomicAdd(&counts[v], __popc(peers));
        }
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
