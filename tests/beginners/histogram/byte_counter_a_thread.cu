// cause: each thread counts one value in 8 bits
// first: wrong_value narrow
// says: Line 15 declares count with the type unsigned char, which holds 0 to 255: a count that goes beyond comes out 256 too low, or a multiple of that
// asks: How large must count be able to become in this case?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    // thread v counts value v
    unsigned char count = 0;
    int start = blockIdx.x * ITEMS;
    int stop = start + ITEMS < n ? start + ITEMS : n;
    for (int i = start; i < stop; i++)
        if (data[i] == threadIdx.x)
            count++;
    atomicAdd(&bins[threadIdx.x], count);
}
