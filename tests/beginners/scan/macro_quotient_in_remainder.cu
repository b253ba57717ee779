// cause: `#define WARPS BLOCK / 32` without brackets: `warp_sums[lane % WARPS]` is (lane % 256) / 32 = 0, so every lane takes the sum of warp 0
// first: race_warp exchange
// says: the same warp, and only a shuffle or vote between them, which orders no memory
// asks: What does this line say once the name is replaced by the text of its definition?
#define BLOCK 256
#define WARPS BLOCK / 32

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
    __shared__ unsigned warp_sums[WARPS];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int i = blockIdx.x * BLOCK + threadIdx.x;

    unsigned v = warp_scan(i < n ? in[i] : 0);
    if (lane == 31) warp_sums[warp] = v;
    __syncthreads();

    if (warp == 0) {
        unsigned w = warp_scan(warp_sums[lane % WARPS]);
        if (lane < WARPS) warp_sums[lane] = w;
    }
    __syncthreads();

    if (warp) v += warp_sums[warp - 1];
    if (i < n) out[i] = v;
    if (threadIdx.x == BLOCK - 1) block_sums[blockIdx.x] = v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    if (blockIdx.x == 0) return;
    const int id = blockIdx.x * BLOCK + threadIdx.x;
    if (id >= n) return;
    out[id] += (unsigned)block_sums[blockIdx.x - 1];
}
