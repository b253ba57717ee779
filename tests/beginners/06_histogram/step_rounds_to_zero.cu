// cause: Line 21: n / ITEMS rounds down and is 0 for n < 4096, so step is 0 and the loop in line 24 never ends; for larger n the step is smaller than the number of threads and elements are counted more than once.
// first: x
// says: x
// asks: x
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

    int blocks = n / ITEMS;                 // as in the launch
    int step = blocks * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n) {
        atomicAdd(&counts[data[i]], 1);
        i += step;
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
