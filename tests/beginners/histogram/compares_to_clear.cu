// cause: Line 15: == compares instead of assigning, so clear_bins clears nothing and histogram adds to rubbish.
// first: never_written no_store
// says: clear_bins, which runs before, leaves bins[0] unwritten
// asks: Is something stored here, or are two values compared?
#define BINS 256
#define ITEMS 4096

// Tells the launch how many elements each block counts. Change ITEMS and the grid follows.
extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    // One block of 256 threads, 256 bins.
    if (threadIdx.x < BINS)
        bins[threadIdx.x] == 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    // Declare the block's own bins
    __shared__ int counts[BINS];
    counts[threadIdx.x] = 0;
    __syncthreads();

    // Count the block's ITEMS elements
    for (int i = blockIdx.x * ITEMS + threadIdx.x; i < (blockIdx.x + 1) * ITEMS && i < n; i += blockDim.x)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();

    // Add the block's bins to the bins of the whole grid.
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
