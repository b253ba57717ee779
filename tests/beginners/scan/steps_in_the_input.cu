// cause: the const is cast away and the steps are done in the input array itself (line 19), which must not change
// first: read_only_write
// says: write in[0], but in is an input of this kernel
// asks: Which array should receive the result?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    int *work = (int *)in + blockIdx.x * BLOCK;
    int t = threadIdx.x;
    int len = min(BLOCK, n - (int)blockIdx.x * BLOCK);

    for (int d = 1; d < BLOCK; d *= 2) {
        int v = 0;
        if (t < len && t >= d)
            v = work[t - d];
        __syncthreads();
        if (t < len)
            work[t] += v;
        __syncthreads();
    }

    if (t < len)
        out[blockIdx.x * BLOCK + t] = work[t];
    if (t == len - 1)
        block_sums[blockIdx.x] = work[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
