// cause: Line 25: the for has no braces, so only the load of line 26 is repeated and line 27 counts once per thread, after the loop, with the last value (or 0 for threads without an element).
// first: wrong_value padding
// says: bins[0] alone is too high, by 255: line 27 was executed 256 times, and there is only 1 element.
// asks: Line 25 first: Which statements should this if, else or loop be for, and which ones is it for?
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
    int start = blockIdx.x * ITEMS;
    int end = min(start + ITEMS, n);
    int v = 0;

    counts[threadIdx.x] = 0;
    __syncthreads();

    for (int i = start + threadIdx.x; i < end; i += blockDim.x)
        v = data[i];
        atomicAdd(&counts[v], 1);

    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
