// cause: Adds the sum up to and including the own block instead of the one before.
// first: wrong_value block_constant
// says: Each block from block 1 on is too high by its own total: it got the sum up to and including itself.
// asks: Which entry of block_sums holds the sum of the blocks *before* block b?
#define BLOCK 256

__device__ int scan32(int v)
{
    for (int d = 1; d < 32; d *= 2) {
        int w = __shfl_up_sync(0xffffffff, v, d);
        if (threadIdx.x % 32 >= d) v = v + w;
    }
    return v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int w[8];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int v = 0;
    if (i < n) v = in[i];
    v = scan32(v);
    if (threadIdx.x % 32 == 31) w[threadIdx.x / 32] = v;
    __syncthreads();
    for (int k = 0; k < threadIdx.x / 32; k++) v += w[k];
    if (i < n) out[i] = v;
    if (threadIdx.x == 255) block_sums[blockIdx.x] = v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (blockIdx.x == 0) return;                // block 0 is right already
    if (i < n) out[i] += block_sums[blockIdx.x];
}
