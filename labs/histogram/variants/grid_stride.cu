// expect: pass - all threads of the grid take turns
#define NUM_BINS 256

extern "C" __constant__ int histogram_items = 2048;

extern "C" __global__ void clear_bins(int *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < NUM_BINS)
        bins[i] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ unsigned int local[NUM_BINS];

    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x)
        local[b] = 0u;
    __syncthreads();

    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();

    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x)
        if (local[b] != 0)
            atomicAdd(&bins[b], (int)local[b]);
}
