// page: reference.md
// says: Lanes that have returned may be named: they are not waited for.
// expect: pass
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    unsigned same = __match_any_sync(0xffffffff, data[i]);
    if (threadIdx.x % 32 == __ffs(same) - 1) {
        atomicAdd(&bins[data[i]], __popc(same));
    }
}
