// cause: `out[i] = (unsigned)out[i] + (unsigned)block_sums[(i - 1) / BLOCK];` is the block before only for the first element of a block; all others get the sum that includes their own block
// first: wrong_value foreign
// says: Besides what belongs there, out[257] contains in[256..511].
// asks: Which line adds what does not belong there?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned s[2][BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t, from = 0;
    s[0][t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        s[from ^ 1][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
        from ^= 1;
        __syncthreads();
    }
    if (i < n) out[i] = s[from][t];
    if (t == 0) block_sums[blockIdx.x] = s[from][BLOCK - 1];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= BLOCK && i < n)
        out[i] = (unsigned)out[i] + (unsigned)block_sums[(i - 1) / BLOCK];
}
