// cause: (i - 1) / BLOCK is the block before only for the first element of a block
// first: wrong_value foreign
// says: Besides what belongs there, out[257] contains in[256..511].
// asks: Which line adds what does not belong there?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int x[2 * BLOCK];        // first half stays zero, so no if is needed
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    x[t] = 0;
    x[t + BLOCK] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d <= BLOCK / 2; d *= 2) {
        int y = x[t + BLOCK - d];
        __syncthreads();
        x[t + BLOCK] += y;
        __syncthreads();
    }
    if (i < n) out[i] = x[t + BLOCK];
    if (t == 0) block_sums[blockIdx.x] = x[2 * BLOCK - 1];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= BLOCK && i < n)
        out[i] += block_sums[(i - 1) / BLOCK];
}
