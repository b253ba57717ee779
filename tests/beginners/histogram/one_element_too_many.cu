// cause: Line 27: the loop runs up to and including ITEMS, so thread 0 of each block also counts the first element of the next block, which is counted twice (n > 4096).
// first: wrong_value counted_again
// says: Line 30 is in the loop of line 27: for (int k = idx; k <= ITEMS; k += blockDim.x)
// asks: Which thread should count data[4096], and which should not?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    int idx = threadIdx.x;
    if (idx < BINS) {
        bins[idx] = 0;
    }
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    int idx = threadIdx.x;
    if (idx < BINS) {
        counts[idx] = 0;
    }
    __syncthreads();

    for (int k = idx; k <= ITEMS; k += blockDim.x) {
        int element = blockIdx.x * ITEMS + k;
        if (element < n) {
            atomicAdd(&counts[data[element]], 1);
        }
    }
    __syncthreads();

    if (idx < BINS) {
        atomicAdd(&bins[idx], counts[idx]);
    }
}
