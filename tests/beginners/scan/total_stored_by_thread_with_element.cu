// cause: The last thread stores the block's sum only if it has an element itself, so the sum of a partly filled last block is never written (line 23).
// first: never_written not_reached
// says: One of those is thread (255,0,0), for which the condition at line 23 is true.
// asks: What sends the thread in the message past the store, and with which values?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned warpSum[8];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    unsigned x = i < n ? in[i] : 0;
    for (int d = 1; d < 32; d *= 2) {
        unsigned y = __shfl_up_sync(0xffffffff, x, d);
        if (lane >= d) x += y;
    }
    if (lane == 31) warpSum[w] = x;
    __syncthreads();
    for (int k = 0; k < w; k++)
        x += warpSum[k];
    if (i < n) {
        out[i] = x;
        if (threadIdx.x == BLOCK - 1)
            block_sums[blockIdx.x] = x;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] = (unsigned)out[i] + (unsigned)block_sums[blockIdx.x - 1];
}
