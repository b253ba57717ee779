// cause: the thread's number chooses the bin
// first: wrong_value unused
// says: Nothing that is read from data reaches them
// asks: Which line should use an element of data?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int pos = blockIdx.x * ITEMS + threadIdx.x;
    int last = (blockIdx.x + 1) * ITEMS;
    while (pos < last && pos < n) {
        int v = data[pos];
        atomicAdd(&bins[threadIdx.x], 1);
        pos += 256;
    }
}
