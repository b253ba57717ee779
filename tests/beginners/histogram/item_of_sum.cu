// cause: line 5: without parentheses ITEM(k + 1) is 2 * k + 1, so two neighbours share an element
// first: wrong_value same_thread
// says: first at line 24, last at line 26
// asks: Line 25 first: What does this line say once the macro is replaced by its text
#define ITEM(k) (k * 2)
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
    counts[threadIdx.x] = 0;
    __syncthreads();
    int first = blockIdx.x * ITEMS;
    for (int k = threadIdx.x; k < ITEMS / 2; k += blockDim.x) {
        if (first + ITEM(k) < n)
            atomicAdd(&counts[data[first + ITEM(k)]], 1);
        if (first + ITEM(k + 1) - 1 < n)
            atomicAdd(&counts[data[first + ITEM(k + 1) - 1]], 1);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
