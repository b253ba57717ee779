// expect: pass - helper functions, blocks of 128 threads that loop over the bins, two elements per thread and turn
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __constant__ int histogram_block[3] = {128, 1, 1};

__device__ void fill_zero(int *p, int len)
{
    for (int i = threadIdx.x; i < len; i += blockDim.x)
        p[i] = 0;
}

__device__ void count(int *h, const int *data, int i, int n)
{
    if (i < n)
        atomicAdd(&h[data[i]], 1);
}

extern "C" __global__ void clear_bins(int *bins)
{
    fill_zero(bins, BINS);
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    fill_zero(counts, BINS);
    __syncthreads();

    int i = blockIdx.x * ITEMS + threadIdx.x;
    int stop = (blockIdx.x + 1) * ITEMS;
    while (i < stop) {
        count(counts, data, i, n);
        count(counts, data, i + blockDim.x, n);
        i += 2 * blockDim.x;
    }
    __syncthreads();

    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        atomicAdd(&bins[b], counts[b]);
}
