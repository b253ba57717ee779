// cause: the block's first element is computed with blockDim.x instead of ITEMS, so the blocks' pieces overlap and the end of data is not reached
// first: wrong_value counted_again
// says: data[256..4095] are counted 2 times each; every other element is counted once.
// asks: Which thread should count data[256], and which should not?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        bins[b] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int my_counts[BINS];
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) {
        my_counts[k] = 0;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * blockDim.x + k;
        if (i < n) {
            atomicAdd(&my_counts[data[i]], 1);
        }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) {
        atomicAdd(&bins[k], my_counts[k]);
    }
}
