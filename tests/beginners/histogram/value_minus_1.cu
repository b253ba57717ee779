// cause: the bin's index is one less than the value, so every count is in the neighbouring bin and the value 0 is
// first: out_of_bounds negative
// says: atomic on hist[-1], but hist has 256 elements (0..255)
// asks: The index is below 0. Which part of its formula is negative in this thread?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < BINS) {
        bins[k] = 0;
    }
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int hist[BINS];
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) {
        hist[k] = 0;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n) {
            int which = data[i] - 1;
            atomicAdd(&hist[which], 1);
        }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) {
        atomicAdd(&bins[k], hist[k]);
    }
}
