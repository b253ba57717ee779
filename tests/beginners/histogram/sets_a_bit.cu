// cause: atomicOr sets bit 0 and adds nothing
// first: wrong_value presence
// says: Every bin is 1 if its value occurs, however often it does
// asks: What does the second element of a value change in its bin?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * ITEMS + threadIdx.x;
    int e = i + ITEMS;
    for (; i < e && i < n; i += 256)
        atomicOr(&bins[data[i]], 1);
}
