// cause: `for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)` in add_block_sums runs from its own piece to the end of the array, so a block also adds its number to all later pieces, in a race with their blocks
// first: race_global short_step
// says: each thread reads it, changes it and writes it back, so a change can be lost.
// asks: Which thread takes that one in its first turn?
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
    __shared__ unsigned warp_sums[32];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    unsigned v = warp_scan(i < n ? in[i] : 0);
    if (lane == 31)
        warp_sums[warp] = v;
    __syncthreads();
    if (warp == 0)
        warp_sums[lane] = warp_scan(lane < BLOCK / 32 ? warp_sums[lane] : 0);
    __syncthreads();
    if (warp > 0)
        v += warp_sums[warp - 1];
    if (i < n)
        out[i] = v;
    if (threadIdx.x == BLOCK - 1)
        block_sums[blockIdx.x] = v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    if (blockIdx.x == 0)
        return;
    unsigned before = block_sums[blockIdx.x - 1];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
        out[i] += before;
}
