// cause: `for (int b = 0; b < blockIdx.x; b++) before += block_sums[b];` adds up sums that are scanned already, so from block 2 on too much is added
// first: wrong_value block_constant
// says: But these are scanned already: entry k is the sum of blocks 0 to k.
// asks: How many entries does a block need?
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
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned v = warp_scan(i < n ? in[i] : 0);
    if (lane == 31)
        warp_sums[warp] = v;
    __syncthreads();
    for (int k = 0; k < warp; k++)
        v += warp_sums[k];
    if (i < n)
        out[i] = v;
    if (threadIdx.x == BLOCK - 1)
        block_sums[blockIdx.x] = v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    unsigned before = 0;
    for (int b = 0; b < blockIdx.x; b++)
        before += block_sums[b];
    if (i < n)
        out[i] = out[i] + before;
}
