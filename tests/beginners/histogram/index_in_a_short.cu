// cause: the index of an element is kept in a short
// first: out_of_bounds narrow_index
// says: read data[-32768]
// asks: Of which type is the variable that the index is made of, and which numbers can it hold?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    short begin = blockIdx.x * ITEMS;
    for (short i = begin + threadIdx.x; i < n; i += blockDim.x) {
        if (i >= begin + ITEMS) break;
        atomicAdd(&bins[data[i]], 1);
    }
}
