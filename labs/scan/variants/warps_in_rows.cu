// expect: pass - a block of 32 by 8 threads, a warp in each row
extern "C" __constant__ int scan_blocks_block[3] = {32, 8, 1};
extern "C" __constant__ int scan_blocks_items = 256;

extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int row_sum[8];
    int lane = threadIdx.x, row = threadIdx.y;
    int i = blockIdx.x * 256 + row * 32 + lane;

    int x = i < n ? in[i] : 0;
    int y;
    y = __shfl_up_sync(~0u, x, 1);  if (lane > 0)  x += y;
    y = __shfl_up_sync(~0u, x, 2);  if (lane > 1)  x += y;
    y = __shfl_up_sync(~0u, x, 4);  if (lane > 3)  x += y;
    y = __shfl_up_sync(~0u, x, 8);  if (lane > 7)  x += y;
    y = __shfl_up_sync(~0u, x, 16); if (lane > 15) x += y;

    if (lane == 31) row_sum[row] = x;
    __syncthreads();
    if (row == 0) {
        int z = lane < 8 ? row_sum[lane] : 0;
        for (int d = 1; d < 8; d += d) {
            y = __shfl_up_sync(~0u, z, d);
            if (lane >= d) z += y;
        }
        if (lane < 8) row_sum[lane] = z;
    }
    __syncthreads();
    if (row > 0) x += row_sum[row - 1];
    if (i < n) out[i] = x;
    if (lane == 31 && row == 7) block_sums[blockIdx.x] = x;
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < 256 || i >= n) return;
    out[i] += block_sums[blockIdx.x - 1];
}
