// expect: wrong_value inc - atomicInc with a limit of 255 starts again at 0
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ unsigned counts[BINS];
    int t = threadIdx.x;
    counts[t] = 0;
    __syncthreads();
    int first = blockIdx.x * ITEMS;
    for (int i = first + t; i < first + ITEMS && i < n; i += blockDim.x)
        atomicInc(&counts[data[i]], 255);
    __syncthreads();
    atomicAdd(&bins[t], (int)counts[t]);
}
