// cause: lanes below d get their own value back from __shfl_up_sync, and add it
// first: wrong_value own_lane
// says: a lane that has no lane so far to its left gets its own value back from __shfl_up_sync
// asks: What does __shfl_up_sync return in lane 0, and what becomes of it there?
#define BLOCK 256
#define MASK 0xffffffff

__device__ int scan_warp(int x)
{
#pragma unroll
    for (int d = 1; d < 32; d <<= 1)
        x += __shfl_up_sync(MASK, x, d);
    return x;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int warp_sum[BLOCK / 32];
    int lane = threadIdx.x & 31;
    int warp = threadIdx.x >> 5;
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int x = scan_warp(i < n ? in[i] : 0);
    if (lane == 31) warp_sum[warp] = x;
    __syncthreads();
    for (int w = 0; w < warp; ++w) x += warp_sum[w];
    if (i < n) out[i] = x;
    if (threadIdx.x == BLOCK - 1) block_sums[blockIdx.x] = x;
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n) {
  int pos = threadIdx.x + blockDim.x * blockIdx.x;
  int offset = blockIdx.x ? block_sums[blockIdx.x - 1] : 0;
  if (pos < n) out[pos] += offset;
}
