// cause: `for (int i = begin + threadIdx.x + blockDim.x; i < end; ...)` counts the value fetched before and fetches the next one, but the value fetched in the last turn is never counted, so each thread loses its last element.
// first: wrong_value none
// says: i begins at begin + threadIdx.x + blockDim.x = 0 + 0 + 256 = 256; end = min(begin+ITEMS,n) = 31
// asks: Where does the way from data to bins end?
/* Lab 06: fetch the next value before the current one is counted */
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

    int begin = blockIdx.x * ITEMS;
    int end = min(begin + ITEMS, n);
    int next = 0;

    if (begin + threadIdx.x < end)
        next = data[begin + threadIdx.x];
    for (int i = begin + threadIdx.x + blockDim.x; i < end; i += blockDim.x) {
        int now = next;
        next = data[i];
        atomicAdd(&counts[now], 1);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
