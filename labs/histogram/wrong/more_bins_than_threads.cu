// expect: uninitialized - with 128 threads per block, counts[threadIdx.x] = 0 clears half of the 256 bins
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void __launch_bounds__(128) histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < ITEMS; k += 128) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n) {
            atomicAdd(&counts[data[i]], 1);
        }
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
