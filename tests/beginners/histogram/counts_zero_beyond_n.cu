// cause: threads without an element count the value 0
// first: wrong_value padding
// says: bins[0] alone is too high, by 4095: line 17 was executed 4096 times, and there is only 1 element
// asks: What does it count when there is no element left?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int base = blockIdx.x * ITEMS;
    for (int i = threadIdx.x; i < ITEMS; i += blockDim.x) {
        int v = base + i < n ? data[base + i] : 0;
        atomicAdd(&bins[v], 1);
    }
}
