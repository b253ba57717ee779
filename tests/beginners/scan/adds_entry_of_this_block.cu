// cause: Adds block_sums[blockIdx.x], which includes the block's own sum, instead of the sum of the blocks before it (line 28).
// first: wrong_value block_constant
// says: Each block from block 1 on is too high by its own total: it got the sum up to and including itself.
// asks: Which entry of block_sums holds the sum of the blocks *before* block b?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        int l = t < d ? 0 : s[t - d];
        __syncthreads();
        s[t] += l;
        __syncthreads();
    }
    if (i < n) out[i] = s[t];
    if (t == BLOCK - 1) block_sums[blockIdx.x] = s[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int b = blockIdx.x;
    int i = b * BLOCK + threadIdx.x;
    if (b > 0 && i < n)              // block 0 is right already
        out[i] += block_sums[b];
}
