// cause: the loop's index is added instead of 1
// first: wrong_value amount
// says: Line 16 is executed once for each element, but data[0] makes its bin grow by 0, data[1] by 1 and data[2] by 2
// asks: How much should an element add, and how much does it?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int first = blockIdx.x * ITEMS;
    for (int i = threadIdx.x; i < ITEMS && first + i < n; i += blockDim.x)
        atomicAdd(&bins[data[first + i]], i);
}
