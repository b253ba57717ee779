// cause: a value above 127 becomes a negative char
// first: out_of_bounds narrow_index
// says: but bins has 256 elements (0..255)
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
    int base = blockIdx.x * ITEMS;
    for (int i = threadIdx.x; i < ITEMS && base + i < n; i += blockDim.x) {
        char v = data[base + i];
        atomicAdd(&bins[v], 1);
    }
}
