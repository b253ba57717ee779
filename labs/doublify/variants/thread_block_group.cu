// expect: pass - the index comes from cooperative groups
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void doublify(float *a, int n)
{
    cg::thread_block g = cg::this_thread_block();
    unsigned int rank = g.group_index().x * g.size() + g.thread_rank();
    if (rank < (unsigned int)n) {
        float old = a[rank];
        a[rank] = old * 2.f;
    }
}
