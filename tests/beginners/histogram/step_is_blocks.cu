// cause: Line 21: the step of the grid-stride loop is gridDim.x, the number of blocks, instead of the number of all threads, so elements are counted by several threads.
// first: wrong_value counted_in_block
// says: i < n; i += gridDim.x)
// asks: Which thread should count data[1], and which should not?
#define BINS 256

extern "C" __constant__ int histogram_items = 4096;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    counts[threadIdx.x] = 0;
    __syncthreads();

    // grid-stride loop, works with any number of blocks
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();

    if (counts[threadIdx.x] != 0)
        atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
