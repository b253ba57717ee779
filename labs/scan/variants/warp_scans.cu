// expect: pass - scans of warps with shuffles, and one of their sums; blocks without work leave as a whole
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int sums[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int v = i < n ? in[i] : 0;
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
        int left = __shfl_up_sync(~0u, v, d);
        if (lane >= d) v += left;
    }
    if (lane == 31) sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        int s = lane < 8 ? sums[lane] : 0;
        for (int d = 1; d < 8; d <<= 1) {
            int left = __shfl_up_sync(~0u, s, d);
            if (lane >= d) s += left;
        }
        if (lane < 8) sums[lane] = s;
    }
    __syncthreads();
    if (warp) v += sums[warp - 1];
    if (i < n) out[i] = v;
    if (threadIdx.x == blockDim.x - 1) block_sums[blockIdx.x] = v;
}
extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    if (!blockIdx.x) return;
    __shared__ int before;
    if (!threadIdx.x) before = block_sums[blockIdx.x - 1];
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += before;
}
