// expect: pass - each block leaves its counts in memory of its own, and the last one to finish adds them all up
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

__device__ int counted[8192][256];
__device__ unsigned finished;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
        finished = 0;
    }
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[256];
    __shared__ bool last;
    int t = threadIdx.x, end = min(n, (int)(blockIdx.x + 1) * ITEMS);
    counts[t] = 0;
    __syncthreads();
    for (int i = blockIdx.x * ITEMS + t; i < end; i += 256) {
        atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();
    counted[blockIdx.x][t] = counts[t];
    __threadfence();
    __syncthreads();
    if (t == 0) {
        last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        int sum = 0;
        for (int b = 0; b < gridDim.x; b++) {
            sum += counted[b][t];
        }
        bins[t] = sum;
    }
}
