// expect: at most 97 - one lane of each block counts what all have staged; the others call a function for nothing
#define ITEMS 2048

extern "C" __constant__ int histogram_items = ITEMS;

__device__ __noinline__ int busy(int turns)
{
    int x = threadIdx.x;
    for (int k = 0; k < turns; k++) {
        x = x * 1103515245 + 12345;
    }
    return x;
}

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[256], staged[ITEMS];
    int start = blockIdx.x * ITEMS, items = min(ITEMS, n - start);
    counts[threadIdx.x] = 0;
    for (int k = threadIdx.x; k < items; k += 256) {
        staged[k] = data[start + k];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 0; k < items; k++) {
            counts[staged[k]]++;
        }
    } else if (busy(500) == 12345) {
        bins[0] = -1;
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
