// cause: a char counts to 127
// first: wrong_value narrow
// says: Line 15 declares c with the type char, which holds -128 to 127: a count that goes beyond comes out 256 too low, or a multiple of that
// asks: How large must c be able to become in this case?
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
    char c = 0;
    for (int i = base; i < base + ITEMS; i++) {
        if (i < n && data[i] == (int)threadIdx.x)
            c += 1;
    }
    if (c) atomicAdd(&bins[threadIdx.x], (int)c);
}
