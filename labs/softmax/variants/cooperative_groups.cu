/* softmax: the block joins its threads with cooperative groups. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <float.h>

namespace cg = cooperative_groups;

extern "C" __global__ void __launch_bounds__(256) softmax(const float *in, float *out, int rows, int columns)
{
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    __shared__ float cells[8];
    const float *x = in + (size_t)blockIdx.x * columns;
    float *y = out + (size_t)blockIdx.x * columns;
    int t = threadIdx.x;
    float m = -FLT_MAX, s = 0;
    for (int c = t; c < columns; c += 256) {
        float larger = fmaxf(m, x[c]);
        s = s * expf(m - larger) + expf(x[c] - larger);
        m = larger;
    }
    float own = m;
    m = cg::reduce(warp, own, cg::greater<float>());
    if (warp.thread_rank() == 0)
        cells[warp.meta_group_rank()] = m;
    block.sync();
    for (int k = 0; k < 8; k++)
        m = fmaxf(m, cells[k]);
    s = cg::reduce(warp, s * expf(own - m), cg::plus<float>());
    block.sync();
    if (warp.thread_rank() == 0)
        cells[warp.meta_group_rank()] = s;
    block.sync();
    s = 0;
    for (int k = 0; k < 8; k++)
        s += cells[k];
    for (int c = t; c < columns; c += 256)
        y[c] = expf(x[c] - m) / s;
}
