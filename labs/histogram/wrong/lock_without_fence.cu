// expect: race_lock|race_global line=22 - a lock for each bin, but nothing orders what two holders do
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
__device__ int locks[BINS];
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    int t = threadIdx.x;
    counts[t] = 0;
    __syncthreads();
    int first = blockIdx.x * ITEMS;
    for (int i = first + t; i < first + ITEMS && i < n; i += blockDim.x)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();
    while (atomicCAS(&locks[t], 0, 1) != 0)
        ;
    bins[t] += counts[t];
    atomicExch(&locks[t], 0);
}
