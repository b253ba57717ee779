// cause: the block's counts are added to the bin with the block's number
// first: wrong_value any_value
// says: With all elements of data equal to 5, and with all equal to 200, the bins come out the same
// asks: What in the index of bins depends on the value of an element?
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
    for (int i = threadIdx.x; i < ITEMS; i += blockDim.x) {
        int pos = blockIdx.x * ITEMS + i;
        if (pos < n)
            atomicAdd(&h[data[pos]], 1);
    }
    __syncthreads();
    atomicAdd(&bins[blockIdx.x], h[threadIdx.x]);
}
