// cause: Line 15: data is declared as an array of unsigned char, but it holds ints, so the kernel reads the single bytes of the first n / 4 elements.
// first: signature
// says: The first parameter of histogram is unsigned char *data, but it must be int *.
// asks:
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const unsigned char *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    counts[threadIdx.x] = 0;
    __syncthreads();

    int begin = blockIdx.x * ITEMS;
    int end = min(begin + ITEMS, n);
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
