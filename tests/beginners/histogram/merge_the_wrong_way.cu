// cause: bins are added to the block's counts instead of the other way round
// first: wrong_value not_stored
// says: None of them changes bins
// asks: Which line of histogram should?
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
    atomicAdd(&h[threadIdx.x], bins[threadIdx.x]);
}
