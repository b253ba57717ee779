// cause: scan_blocks covers 256 elements per block but add_block_sums has blocks of 128, so the pieces do not match and the launch is refused (line 25).
// first: launch items
// says: add_block_sums covers 128 elements per block, scan_blocks 256: the two must be equal, or a block adds another block's sums
// asks: How many elements does a block of scan_blocks cover, and how many a block of add_block_sums? Which lines of your file say so?
// add_block_sums has so little to do that half a block is enough
extern "C" __global__ void __launch_bounds__(256) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int y = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += y;
        __syncthreads();
    }
    if (i < n)
        out[i] = s[t];
    if (t == 255)
        block_sums[blockIdx.x] = s[t];
}

extern "C" __global__ void __launch_bounds__(128) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
