// cause: The local bins are not declared __shared__, so each thread has its own, mostly uninitialised, and adds only one of them (line 18).
// first: assert atomic_local
// says: an atomic function changes c, which line 18 declares without __shared__: each thread has its own, and for that an atomic operation has no meaning.
// asks: How many variables c are there: one for the block, or one for each thread?
#define FULL 0xffffffffu
#define PER_BLOCK 4096

extern "C" __constant__ int histogram_items = PER_BLOCK;

extern "C" __global__ void clear_bins(int *out)
{
    out[threadIdx.x] = 0;
}

// equal lanes find each other and one of them adds for all
extern "C" __global__ void histogram(const int *values, int *out, int n)
{
    int c[256];
    int t = threadIdx.x;
    int lane = t & 31;
    c[t] = 0;
    __syncthreads();
    for (int k = t; k < PER_BLOCK; k += 256) {
        int g = blockIdx.x * PER_BLOCK + k;
        int v = g < n ? values[g] : -1;
        unsigned same = __match_any_sync(FULL, v);
        int leader = __ffs(same) - 1;
        if (v >= 0 && lane == leader)
            atomicAdd(&c[v], __popc(same));
    }
    __syncthreads();
    atomicAdd(&out[t], c[t]);
}
