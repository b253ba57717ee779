// cause: each warp adds the total of the one warp before it
// first: wrong_value warp_constant
// says: Each warp got the sum of the one warp before it, not of all warps before it.
// asks: How does the sum of warp 0 come to warp 2?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int totals[8];
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    int v = g < n ? in[g] : 0;
    for (int o = 1; o < 32; o *= 2) {
        int u = __shfl_up_sync(0xffffffffu, v, o);
        if (lane >= o) v += u;
    }
    if (lane == 31) totals[w] = v;
    __syncthreads();
    if (w > 0) v += totals[w - 1];
    if (g < n) out[g] = v;
    if (threadIdx.x == 255) block_sums[blockIdx.x] = v;
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
