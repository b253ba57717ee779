// cause: Line 10: clear_bins is declared with a second parameter n, but the lab passes bins only (wrong signature), so n means nothing.
// first: signature
// says: clear_bins has 2 parameters, but it must have 1
// asks:
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        bins[i] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        counts[i] = 0;
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        atomicAdd(&bins[i], counts[i]);
}
