// cause: The grid is made for 4096 elements per block but the loop takes only 2048, so half of them are not counted (line 21).
// first: wrong_value not_counted
// says: The counts add up to 2049, but there are 4097 elements: 2048 are missing. values[2048..4095] are not counted; every other element is counted once.
// asks: Which thread should count values[2048]?
#define ITEMS 4096
// thread 0 clears, all count, a warp adds up
extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *out)
{
    out[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *values, int *out, int n)
{
    __shared__ int hist[256];
    if (threadIdx.x == 0)
        memset(hist, 0, sizeof hist);
    __syncthreads();
    int i = blockIdx.x * ITEMS + threadIdx.x;
    int stop = blockIdx.x * ITEMS + ITEMS / 2;
    while (i < stop && i < n) {
        atomicAdd(&hist[values[i]], 1);
        i += 256;
    }
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    for (int b = threadIdx.x; b < 256; b += 32)
        atomicAdd(&out[b], hist[b]);
}
