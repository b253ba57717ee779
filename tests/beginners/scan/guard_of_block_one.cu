// cause: blockIdx.x > 1 leaves block 1 without the sum of block 0
// first: wrong_value some_blocks
// says: Each block is right in itself, but block 1 lacks the sum of the blocks before it; the other 3 blocks are right.
// asks: What is different about block 1?
#define BLOCK 256

__device__ int warpScan(int v, int lane)
{
    for (int d = 1; d < 32; d *= 2) {
        int o = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d) v += o;
    }
    return v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int totals[32];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = warpScan(i < n ? in[i] : 0, lane);
    if (lane == 31) totals[warp] = v;
    __syncthreads();
    for (int w = 0; w < warp; w++) v += totals[w];
    if (i < n) out[i] = v;
    if (threadIdx.x == BLOCK - 1) block_sums[blockIdx.x] = v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 1 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
