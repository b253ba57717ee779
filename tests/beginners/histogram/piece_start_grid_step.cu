// cause: `for (int i = blockIdx.x * ITEMS + threadIdx.x; i < n; i += gridDim.x * blockDim.x)` begins where the block's own piece begins but goes on with the stride of the whole grid, so with two or more blocks some elements are counted several times and others never.
// first: wrong_value not_counted
// says: i grows by gridDim.x*blockDim.x = 2*256 = 512.
// asks: Which thread should count data[256]?
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
    counts[threadIdx.x] = 0;
    __syncthreads();

    // grid-stride loop
    for (int i = blockIdx.x * ITEMS + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
