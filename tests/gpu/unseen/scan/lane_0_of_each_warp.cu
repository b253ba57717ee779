// lane 0 scans its warp's elements, then thread 0 the warps' sums
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned s[BLOCK], sums[BLOCK / 32];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    if (t % 32 == 0) {
        for (int k = 1; k < 32; k++)
            s[t + k] += s[t + k - 1];
        sums[t / 32] = s[t + 31];
    }
    __syncthreads();
    if (t == 0)
        for (int w = 1; w < BLOCK / 32; w++)
            sums[w] += sums[w - 1];
    __syncthreads();
    unsigned sum = s[t] + (t >= 32 ? sums[t / 32 - 1] : 0);
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
