// cause: `int length = n / sizeof(int);` takes n for a number of bytes, but n is the number of elements, so only the first quarter of the data is counted.
// first: wrong_value not_counted
// says: The counts are exactly those of data[0..7]: the last 24 elements were not counted.
// asks: Which thread counts data[8]?
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
    __shared__ int counts[BINS];
    int length = n / sizeof(int);
    int k;

    counts[threadIdx.x] = 0;
    __syncthreads();

    for (k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < length)
            atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
