// cause: `__syncwarp();` between storing warp_sums[warp] and reading the entries of the other warps waits for its own warp only: a race between warps
// first: race_shared
// says: line 27 has a `__syncwarp()`, which waits for one warp, and these two threads are in two.
// asks: What must every thread of the block have finished before any of them goes on to line 29?
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
    __shared__ unsigned warp_sums[8];
    int t = threadIdx.x, warp = t / 32;
    int i = blockIdx.x * BLOCK + t;
    unsigned v = 0;
    if (i < n) v = in[i];
    v = warp_scan(v);
    if (t % 32 == 31) warp_sums[warp] = v;
    __syncwarp();
    unsigned before = 0;
    for (int k = 0; k < warp; k++) before += warp_sums[k];
    v += before;
    if (i < n) out[i] = v;
    if (t == 255) block_sums[blockIdx.x] = v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    if (blockIdx.x == 0) return;
    const int id = blockIdx.x * BLOCK + threadIdx.x;
    if (id >= n) return;
    out[id] += (unsigned)block_sums[blockIdx.x - 1];
}
