// cause: the bins begin with 1
// first: wrong_value offset
// says: Every bin is too high by 1, even those whose value does not occur
// asks: Which number does a count start with?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 1;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int base = blockIdx.x * ITEMS;
    for (int i = threadIdx.x; i < ITEMS && base + i < n; i += blockDim.x)
        atomicAdd(&bins[data[base + i]], 1);
}
