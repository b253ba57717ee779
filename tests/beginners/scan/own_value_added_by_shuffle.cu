// cause: Lanes below the distance add what __shfl_up_sync returns, which is their own value, as there is no test lane >= d (line 16).
// first: wrong_value own_lane
// says: In line 16, a lane that has no lane so far to its left gets its own value back from __shfl_up_sync, and line 16 adds it.
// asks: What does __shfl_up_sync return in lane 0, and what becomes of it there?
#define BLOCK 256
#define ALL 0xffffffffu

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned ws[BLOCK / 32];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    int lane = t % 32, warp = t / 32;
    unsigned x = i < n ? in[i] : 0;
    // lanes without a left neighbour get nothing
    for (int d = 1; d < 32; d *= 2)
        x += __shfl_up_sync(ALL, x, d);
    if (lane == 31)
        ws[warp] = x;
    __syncthreads();
    unsigned before = 0;
    for (int k = 0; k < warp; k++)
        before += ws[k];
    x += before;
    if (i < n)
        out[i] = x;
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = x;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] = (unsigned)out[i] + (unsigned)block_sums[blockIdx.x - 1];
}
