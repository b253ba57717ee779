// cause: `for (unsigned char b = threadIdx.x; b < BINS; b += blockDim.x)`: a byte is always less than 256, and adding 256 to it leaves it unchanged, so the loop never ends.
// first: fuel narrow
// says: the loop at line 21 still runs after 10 million warp instructions: the type of b is unsigned char, which holds no number above 255
// asks: What is the largest number that this variable can hold, and what is the one after it?
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

    // a bin's number fits a byte
    for (unsigned char b = threadIdx.x; b < BINS; b += blockDim.x)
        counts[b] = 0;
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
