// cause: line 28: the second half begins one element too early, at the last one of the first half
// first: wrong_value two_lines
// says: first at line 25 by thread
// asks: Which of these lines should count
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
    counts[threadIdx.x] = 0;
    __syncthreads();

    int half = n / 2;
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int all = gridDim.x * blockDim.x;
    for (int i = first; i < half; i += all)
        atomicAdd(&counts[data[i]], 1);

    // the other half from its end downwards
    for (int i = n - 1 - first; i >= half - 1 && i >= 0; i -= all)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
