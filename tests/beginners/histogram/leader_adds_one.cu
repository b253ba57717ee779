// cause: The leader adds 1 and not the number of lanes that have the same value (line 29).
// first: wrong_value presence
// says: Every bin is 1 if its value occurs, however often it does.
// asks: What does the second element of a value change in its bin?
#define FULL 0xffffffffu
#define PER_BLOCK 4096

extern "C" __constant__ int histogram_items = PER_BLOCK;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

// equal lanes find each other and one of them adds for all
extern "C" __global__ void histogram(const int *data, int *bins, int count_n)
{
    __shared__ int counts[256];
    int tid = threadIdx.x;
    int lane = tid & 31;
    counts[tid] = 0;
    __syncthreads();
    for (int j = tid; j < PER_BLOCK; j += 256) {
        int pos = blockIdx.x * PER_BLOCK + j;
        int val = pos < count_n ? data[pos] : -1;
        unsigned same = __match_any_sync(FULL, val);
        int leader = __ffs(same) - 1;
        if (val >= 0 && lane == leader)
            atomicAdd(&counts[val], 1);
    }
    __syncthreads();
    atomicAdd(&bins[tid], counts[tid]);
}
