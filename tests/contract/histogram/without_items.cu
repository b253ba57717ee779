// page: histogram.md
// says: A kernel that counts 4096 per block is still right then
// expect: pass
#define BINS 256
#define ITEMS 4096

extern "C" __global__ void clear_bins(int *bins)
{
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
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n) {
            atomicAdd(&counts[data[i]], 1);
        }
    }
    __syncthreads();    // all threads have counted

    // Add the block's bins to the bins of the whole grid.
    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
        if (counts[bin] > 0) {
            atomicAdd(&bins[bin], counts[bin]);
        }
    }
}
