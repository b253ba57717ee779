// cause: clears a shared array of the same name in another kernel
// first: uninitialized never_set
// says: No line of histogram sets counts; that of clear_bins is another array.
// asks: How many arrays of this name are there, and which function uses which of them?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    __shared__ int counts[BINS];
    bins[threadIdx.x] = 0;
    counts[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int idx = blockIdx.x * ITEMS + k;
        if (idx < n) {
            atomicAdd(&counts[data[idx]], 1);
        }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) {
        atomicAdd(&bins[k], counts[k]);
    }
}
