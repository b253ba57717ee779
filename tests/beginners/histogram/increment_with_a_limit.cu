// cause: atomicInc with a limit of 255 starts again at 0 after 255
// first: wrong_value inc
// says: whose second argument, 255, is not a step but a limit
// asks: How large can a count become here?
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
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicInc(&counts[data[i]], 255);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], (int)counts[threadIdx.x]);
}
