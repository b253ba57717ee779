// expect: pass - cooperative groups in blocks of 64 threads: the second warp needs the total of the first alone
#include <cooperative_groups.h>
using namespace cooperative_groups;

#define BLOCK 64

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int first_warp;
    thread_block me = this_thread_block();
    auto tile = tiled_partition<32>(me);

    int i = blockIdx.x * BLOCK + threadIdx.x;
    unsigned sum = 0;
    if (i < n)
        sum = in[i];
    for (unsigned d = 1; d < tile.size(); d += d) {
        unsigned left = tile.shfl_up(sum, d);
        sum += tile.thread_rank() >= d ? left : 0;
    }
    // only two warps: the second one needs the total of the first
    if (threadIdx.x == 31)
        first_warp = sum;
    me.sync();
    if (threadIdx.x >= 32)
        sum += first_warp;
    if (i < n)
        out[i] = sum;
    if (threadIdx.x == BLOCK - 1)
        block_sums[blockIdx.x] = sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= BLOCK && i < n)
        out[i] += block_sums[i / BLOCK - 1];
}
