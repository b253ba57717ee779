// cause: Line 23: 4096 is not a multiple of 192, so ITEMS / blockDim.x = 21 and a block counts only 21 * 192 = 4032 of its 4096 elements.
// first: wrong_value not_counted
// says: perThread = ITEMS/blockDim.x = 4096/192 = 21.
// asks: Which thread should count data[4032]?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_block[3] = {192, 1, 1};
extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        counts[b] = 0;
    __syncthreads();

    int perThread = ITEMS / blockDim.x;
    for (int j = 0; j < perThread; j++) {
        int i = blockIdx.x * ITEMS + j * blockDim.x + threadIdx.x;
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        atomicAdd(&bins[b], counts[b]);
}
