// lanes with one value agree on the one that counts them, in global memory
#define ITEMS 4096

extern "C" __constant__ int histogram_items = 4096;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    for (int k = threadIdx.x; k < ITEMS; k += 256) {
        int i = blockIdx.x * ITEMS + k;
        unsigned here = __ballot_sync(0xffffffffu, i < n);
        if (i < n) {
            unsigned same = __match_any_sync(here, data[i]);
            if (__ffs(same) - 1 == threadIdx.x % 32)
                atomicAdd(&bins[data[i]], __popc(same));
        }
    }
}
