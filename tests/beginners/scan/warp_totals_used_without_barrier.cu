// cause: there is no barrier between the storing of the scanned warp totals by warp 0 (line 34) and their use by the other warps in line 37, a race
// first: race_shared
// says: shared array part[0] written by thread (0,0,0) (line 34) and read by thread (32,0,0) (line 37); no barrier between them.
// asks: What must every thread of the block have finished before any of them goes on to line 37?
#define BLOCK 256

__device__ int warp_scan(int x)
{
    const int lane = threadIdx.x % 32;
    for (int off = 1; off < 32; off *= 2) {
        const int y = __shfl_up_sync(0xffffffff, x, off);
        x = lane < off ? x : x + y;
    }
    return x;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int part[32];
    const int idx = blockIdx.x * BLOCK + threadIdx.x;
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;

    if (warp == 0)
        part[lane] = 0;
    __syncthreads();

    int x = warp_scan(idx < n ? in[idx] : 0);
    if (lane == 31)
        part[warp] = x;
    __syncthreads();

    if (warp == 0)
        part[lane] = warp_scan(part[lane]);

    if (warp > 0)
        x += part[warp - 1];
    if (idx < n)
        out[idx] = x;
    if (threadIdx.x == BLOCK - 1)
        block_sums[blockIdx.x] = x;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
