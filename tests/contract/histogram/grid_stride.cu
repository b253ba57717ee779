// page: histogram.md
// says: You may share out the elements in another way, a grid-stride loop for instance
// expect: pass
extern "C" __constant__ int clear_bins_block = 64;
#define BINS 256
#define ITEMS 4096

// Tells the launch how many elements each block counts. Change ITEMS and the grid follows.
extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    if (gridDim.x != 1 || blockDim.x != 256 || (size_t)bins % 256 != 0) {
        __trap();
    }
    // One block of 256 threads, 256 bins.
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    // Declare the block's own bins: __shared__ int counts[BINS]. What do they hold when the block starts?
    __shared__ int counts[BINS];
    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
        counts[bin] = 0;
    }
    __syncthreads();    // all bins are zero before any thread counts

    // Count the block's ITEMS elements, from data[blockIdx.x * ITEMS] on. Neighbouring threads take neighbouring elements.
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();    // all threads have counted

    // Add the block's bins to the bins of the whole grid.
    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
        if (counts[bin] > 0) {
            atomicAdd(&bins[bin], counts[bin]);
        }
    }
}
