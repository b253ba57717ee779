// cause: the store of the block sum is inside of if (i < n) (line 22), and in a partly filled last block thread 255 has no element, so block_sums of the last block is never written
// first: never_written not_reached
// says: The last line of 255 of them is line 22. One of those is thread (255,0,0), for which the condition at line 24 is true.
// asks: What sends the thread in the message past the store, and with which values?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    s[t] = (i < n) ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        int v = 0;
        if (t >= d)
            v = s[t - d];
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (i < n) {
        out[i] = s[t];
        if (t == BLOCK - 1)
            block_sums[blockIdx.x] = s[t];
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
