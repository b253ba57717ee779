// shuffles in each warp, then over the warps
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned sums[BLOCK / 32];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    unsigned sum = i < n ? in[i] : 0;
    for (int d = 1; d < 32; d *= 2) {
        unsigned left = __shfl_up_sync(0xffffffffu, sum, d);
        if (t % 32 >= d)
            sum += left;
    }
    if (t % 32 == 31)
        sums[t / 32] = sum;
    __syncthreads();
    for (int k = 0; k < t / 32; k++)
        sum += sums[k];
    if (i < n)
        out[i] = sum;
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] = (int)((unsigned)out[i] + (unsigned)block_sums[blockIdx.x - 1]);
}
