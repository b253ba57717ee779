// cause: __ffs counts from 1, but the lane is compared without subtracting 1 (line 27).
// first: wrong_value none
// says: The __ffs in line 27 counts bits from 1: where lane 0 is the first, it returns 1.
// asks: Where does the way from in to bins end?
#define FULL 0xffffffffu
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

// equal lanes find each other and one of them adds for all
extern "C" __global__ void histogram(const int *in, int *bins, int N)
{
    __shared__ int my_bins[256];
    int t = threadIdx.x;
    int lane = t & 31;
    my_bins[t] = 0;
    __syncthreads();
    for (int j = t; j < ITEMS; j += 256) {
        int i = blockIdx.x * ITEMS + j;
        int v = i < N ? in[i] : -1;
        unsigned same = __match_any_sync(FULL, v);
        int leader = __ffs(same);
        if (v >= 0 && lane == leader)
            atomicAdd(&my_bins[v], __popc(same));
    }
    __syncthreads();
    atomicAdd(&bins[t], my_bins[t]);
}
