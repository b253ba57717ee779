// cause: a bin gets 1 for each block, not the block's count
// first: wrong_value presence
// says: Every bin is 1 if its value occurs, however often it does
// asks: What does the second element of a value change in its bin?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int h[BINS];
    h[threadIdx.x] = 0;
    __syncthreads();
    int base = blockIdx.x * ITEMS;
    for (int i = threadIdx.x; i < ITEMS && base + i < n; i += blockDim.x)
        atomicAdd(&h[data[base + i]], 1);
    __syncthreads();
    if (h[threadIdx.x] > 0)
        atomicAdd(&bins[threadIdx.x], 1);
}
