// expect: pass - a grid-stride loop, with the ranks of cooperative groups
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __constant__ int vector_add_items = 2048;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    cg::grid_group grid = cg::this_grid();
    for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) {
        c[i] = a[i] + b[i];
    }
}
