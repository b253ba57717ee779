// cause: the block's bins are added to the global ones in every turn of the loop though they are never set back to zero, so elements are added repeatedly
// first: wrong_value each
// says: Each element is counted 16 times.
// asks: By which ways does one element reach its bin, and how often?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < BINS) {
        bins[j] = 0;
    }
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int my_counts[BINS];
    const int t = threadIdx.x;
    my_counts[t] = 0;
    __syncthreads();
    for (int j = 0; j < ITEMS; j += 256) {
        int pos = blockIdx.x * ITEMS + j + t;
        if (pos < n)
            atomicAdd(&my_counts[data[pos]], 1);
        __syncthreads();
        atomicAdd(&bins[t], my_counts[t]);
        __syncthreads();
    }
}
