// cause: The block's total is stored by the thread whose index in the whole array is 255, so only block 0 writes its sum (line 22).
// first: never_written not_reached
// says: Line 23 stores into block_sums, but no thread of block (1,0,0) came to it.
// asks: What sends the thread in the message past the store, and with which values?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        int y = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += y;
        __syncthreads();
    }
    if (i < n)
        out[i] = s[t];
    if (i == BLOCK - 1)
        block_sums[blockIdx.x] = s[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
