// expect: wrong_value - four elements per load; the last n % 4 are not counted
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
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
    const int4 *quads = (const int4 *)data;
    int first = blockIdx.x * (ITEMS / 4);
    for (int i = first + t; i < first + ITEMS / 4 && i < n / 4; i += blockDim.x) {
        int4 q = quads[i];
        atomicAdd(&counts[q.x], 1);
        atomicAdd(&counts[q.y], 1);
        atomicAdd(&counts[q.z], 1);
        atomicAdd(&counts[q.w], 1);
    }
    __syncthreads();
    atomicAdd(&bins[t], counts[t]);
}
