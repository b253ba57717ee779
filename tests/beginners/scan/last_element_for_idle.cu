// cause: `unsigned v = in[min(i, n - 1)];` lets the threads beyond n load the last element again instead of adding 0: out is right, but the sum of a ragged last block is too large by copies of the last element
// first: wrong_value multiple
// says: Besides what belongs there, block_sums[0] contains 248 x in[7]. in[7] is read 249 times: first by thread (7,0,0) of block (0,0,0), last by thread (255,0,0) of block (0,0,0), at line 25.
// asks: Where is it counted again: in another line, in another turn of a loop, or in another thread?
#define BLOCK 256

__device__ unsigned warp_scan(unsigned v)
{
    int lane = threadIdx.x % 32;
    for (int d = 1; d < 32; d *= 2) {
        unsigned left = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d)
            v += left;
    }
    return v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned warp_sums[BLOCK / 32];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    const int warp = threadIdx.x / 32;

    // no branch: the index always stays inside the array
    unsigned v = in[min(i, n - 1)];
    v = warp_scan(v);
    if (threadIdx.x % 32 == 31)
        warp_sums[warp] = v;
    __syncthreads();
    for (int w = 0; w < BLOCK / 32; w++)
        v += w < warp ? warp_sums[w] : 0u;

    if (i < n)
        out[i] = v;
    if (threadIdx.x == BLOCK - 1)
        block_sums[blockIdx.x] = v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] = (unsigned)out[i] + (unsigned)block_sums[blockIdx.x - 1];
}
