// cause: The shuffle does not leave the warp: lane 0 of warps 1 to 7 gets its own value instead of the last one of the warp before, so every 32nd difference is 0
// first: wrong_value unused
// says: lane 0 gets back what it passes.
// asks: What becomes of the numbers that are read: does a factor of 0 take them away, do they cancel out, or are they left out?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) tripled(const int *in, int *out, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
    out[i] = 3 * in[i];
}

extern "C" __global__ void __launch_bounds__(BLOCK) mirrored(const int *in, int *out, int n)
{
    __shared__ int cells[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    // each thread brings its element to the cell of its partner
    int mine = i < n ? in[i] : 0;
    cells[BLOCK - 1 - t] = mine;
    __syncthreads();
    if (i < n)
        out[i] = mine + cells[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) differences(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    int mine = i < n ? in[i] : 0;
    int before = __shfl_up_sync(0xffffffffu, mine, 1);
    if (t == 0)
        before = 0;
    if (i < n)
        out[i] = mine - before;
}

extern "C" __global__ void __launch_bounds__(BLOCK) positives(const int *in, int *counts, int n)
{
    __shared__ int count;
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    if (t == 0)
        count = 0;
    __syncthreads();
    int value = i < n ? in[i] : 0;
    unsigned votes = __ballot_sync(0xffffffffu, value > 0);
    if (t % 32 == 0)
        atomicAdd(&count, __popc(votes));
    __syncthreads();
    if (t == 0)
        counts[blockIdx.x] = count;
}
