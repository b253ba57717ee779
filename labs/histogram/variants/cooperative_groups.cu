// expect: pass - cooperative groups: the block's own number of a thread and its barrier
#include <cooperative_groups.h>
using namespace cooperative_groups;

constexpr int kBins = 256;
constexpr int kItems = 4096;
extern "C" __constant__ int histogram_items = kItems;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *__restrict__ data, int *__restrict__ bins, int n)
{
    __shared__ int local[kBins];
    thread_block tb = this_thread_block();
    const int me = tb.thread_rank();
    const int all = tb.size();

    for (int i = me; i < kBins; i += all) local[i] = 0;
    tb.sync();

    const int first = tb.group_index().x * kItems;
    const int count = min(kItems, n - first);
    for (int i = me; i < count; i += all)
        atomicAdd(&local[data[first + i]], 1);
    tb.sync();

    for (int i = me; i < kBins; i += all) atomicAdd(&bins[i], local[i]);
}
