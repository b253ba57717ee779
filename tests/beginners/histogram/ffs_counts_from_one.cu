// cause: Line 29: __ffs counts from 1, so the leader is one lane too high; unless that lane happens to be in the group too, nobody adds the group's count.
// first: wrong_value none
// says: depends on the condition in line 29: if (v < BINS && lane == __ffs(group))
// asks: Where does the way from data to bins end?
#define BINS 256
#define ITEMS 4096
#define EVERYBODY 0xffffffff

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    int tid = threadIdx.x;
    int lane = tid & 31;
    counts[tid] = 0;
    __syncthreads();

    for (int k = 0; k < ITEMS; k += 256) {
        int i = blockIdx.x * ITEMS + k + tid;
        int v = i < n ? data[i] : BINS;           // BINS = no value
        // one lane adds for all lanes with the same value
        unsigned group = __match_any_sync(EVERYBODY, v);
        if (v < BINS && lane == __ffs(group))
            atomicAdd(&counts[v], __popc(group));
    }
    __syncthreads();

    atomicAdd(&bins[tid], counts[tid]);
}
