// cause: continue skips the line that moves pos on
// first: fuel continue
// says: which changes pos
// asks: Which lines of the body does a turn execute after the continue?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int hist[BINS];
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) {
        hist[k] = 0;
    }
    __syncthreads();
    int pos = blockIdx.x * ITEMS + threadIdx.x;
    int end = (blockIdx.x + 1) * ITEMS;
    while (pos < end) {
        if (pos >= n)
            continue;
        atomicAdd(&hist[data[pos]], 1);
        pos += blockDim.x;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) {
        atomicAdd(&bins[k], hist[k]);
    }
}
