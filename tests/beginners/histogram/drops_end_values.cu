// cause: the condition leaves out 0 and 255
// first: wrong_value value
// says: no bin counts them; with all equal to 5, bins[5] does.
// asks: On which line does the way of the value
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
    for (int i = threadIdx.x; i < ITEMS && base + i < n; i += blockDim.x) {
        int v = data[base + i];
        if (v > 0 && v < 255)
            atomicAdd(&bins[v], 1);
    }
}
