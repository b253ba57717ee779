// cause: adds the scanned entry of the thread's own warp, which includes the warp itself, instead of the entry before it
// first: wrong_value warp_constant
// says: From warp 1 on, each element is too high by the sum of its own warp.
// asks: The sums of which warps does an element need?
#define BLOCK 256
#define NWARPS (BLOCK / warpSize)

__device__ __forceinline__ int inclusive(int x)
{
    for (int d = 1; d < 32; d *= 2) {
        int y = __shfl_up_sync(0xffffffff, x, d);
        if ((threadIdx.x & 31) >= d)
            x += y;
    }
    return x;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int warp_sums[32];
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    int x = inclusive(i < n ? in[i] : 0);
    if (lane == 31)
        warp_sums[warp] = x;
    __syncthreads();
    if (warp == 0) {
        int y = lane < NWARPS ? warp_sums[lane] : 0;
        warp_sums[lane] = inclusive(y);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        block_sums[blockIdx.x] = warp_sums[NWARPS - 1];
    if (warp > 0)
        x += warp_sums[warp];
    if (i < n)
        out[i] = x;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
