// cause: Line 19: the block's start is blockIdx.x * blockDim.x = 256 * b (there is a block for every 256 elements, since histogram_items is not declared), but each block counts up to 4096 elements from there, so the blocks overlap and elements are counted up to 16 times.
// first: wrong_value counted_again
// says: In thread (0,0,0) of block (1,0,0), start = blockIdx.x*blockDim.x = 1*256 = 256
// asks: Which thread should count data[256], and which should not?
#define BINS 256
#define ITEMS 4096

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    counts[threadIdx.x] = 0;
    __syncthreads();

    int start = blockIdx.x * blockDim.x;
    int end = start + ITEMS;
    if (end > n) end = n;

    for (int i = start + threadIdx.x; i < end; i += blockDim.x) {
        atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
