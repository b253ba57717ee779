// expect: pass - cooperative groups, and one thread that scans the sums of the warps
#include <cooperative_groups.h>
using namespace cooperative_groups;
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int warp_total[BLOCK / 32];
    thread_block block = this_thread_block();
    thread_block_tile<32> tile = tiled_partition<32>(block);

    int id = blockIdx.x * BLOCK + block.thread_rank();
    int value = 0;
    if (id < n) value = in[id];

    for (int k = 1; k < tile.size(); k *= 2) {
        int up = tile.shfl_up(value, k);
        if (tile.thread_rank() >= k) value += up;
    }
    if (tile.thread_rank() == tile.size() - 1) warp_total[block.thread_rank() / 32] = value;
    block.sync();
    if (block.thread_rank() == 0) {
        int run = 0;
        for (int w = 0; w < BLOCK / 32; ++w) {
            int x = warp_total[w];
            warp_total[w] = run;      // exclusive
            run += x;
        }
        block_sums[blockIdx.x] = run;
    }
    block.sync();
    if (id < n) out[id] = value + warp_total[block.thread_rank() / 32];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n) {
  int pos = threadIdx.x + blockDim.x * blockIdx.x;
  int offset = blockIdx.x ? block_sums[blockIdx.x - 1] : 0;
  if (pos < n) out[pos] += offset;
}
