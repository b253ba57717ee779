// cause: `const unsigned char *values = (const unsigned char *)data;`: the values fit a byte, but each takes an int of four bytes, so values[i] reads the bytes of the first quarter of data, three of four being 0.
// first: wrong_value several
// says: With all elements of data equal to 5, 2 bins are not 0, the first of them bins[0].
// asks: Line 19 first: How many bytes does one element of the array have, and how many elements does this pointer count in them?
/* Lab 06 */
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    // a value from 0 to 255 is a byte, so it can never leave the bins
    const unsigned char *values = (const unsigned char *)data;

    __shared__ int counts[BINS];
    counts[threadIdx.x] = 0;
    __syncthreads();

    int begin = blockIdx.x * ITEMS;
    int end = min(begin + ITEMS, n);
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x)
        atomicAdd(&counts[values[i]], 1);
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
