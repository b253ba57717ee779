// expect: at most 75 - one block counts everything and needs no global atomics
extern "C" __constant__ int histogram_items = 1 << 30;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 256) {
        atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();
    bins[threadIdx.x] = counts[threadIdx.x];
}
