// cause: threads beyond n load the last element again instead of 0, so the sum of a partly filled last block counts it many times
// first: wrong_value multiple
// says: in[7] is read 249 times: first by thread (7,0,0) of block (0,0,0), last by thread (255,0,0) of block (0,0,0), at line 13.
// asks: Where is it counted again: in another line, in another turn of a loop, or in another thread?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;

    s[t] = in[min(i, n - 1)];      // stay inside the array
    __syncthreads();

    for (int d = 1; d < BLOCK; d *= 2) {
        int x = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] = s[t] + x;
        __syncthreads();
    }

    if (i < n)
        out[i] = s[t];
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = s[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
