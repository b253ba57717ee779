// expect: pass - a lock for each bin, with fences on both sides, taken in a loop that every lane leaves by itself
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
    bool done = false;
    while (!done) {
        if (atomicCAS(&locks[t], 0, 1) == 0) {
            __threadfence();
            bins[t] += counts[t];
            __threadfence();
            atomicExch(&locks[t], 0);
            done = true;
        }
    }
}
