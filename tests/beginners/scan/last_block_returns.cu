// cause: a last block that is only partly filled returns as a whole, so its elements of out and its block sum are never written
// first: never_written not_reached
// says: Line 23 stores into out, but no thread came to it. The last line that they ran is line 11.
// asks: What sends the thread in the message past the store, and with which values?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[BLOCK];
    int start = blockIdx.x * BLOCK;
    if (start + BLOCK > n)
        return;              // whole block, so the barriers are fine

    int t = threadIdx.x;
    s[t] = in[start + t];
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        int left = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += left;
        __syncthreads();
    }
    out[start + t] = s[t];
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = s[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
