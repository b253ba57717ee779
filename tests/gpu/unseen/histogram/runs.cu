// each thread adds up runs of equal neighbours first
#define ITEMS 8192

extern "C" __constant__ int histogram_items = 8192;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[256];
    int t = threadIdx.x;
    counts[t] = 0;
    __syncthreads();
    int first = blockIdx.x * ITEMS + 32 * t, value = -1, run = 0;
    for (int i = first; i < first + 32 && i < n; i++) {
        if (data[i] != value && run > 0) {
            atomicAdd(&counts[value], run);
            run = 0;
        }
        value = data[i];
        run++;
    }
    if (run > 0)
        atomicAdd(&counts[value], run);
    __syncthreads();
    if (counts[t] > 0)
        atomicAdd(&bins[t], counts[t]);
}
