// cause: Line 17: a __shared__ array cannot have an initialiser: does not compile.
// first: compile shared_init
// says: Shared memory cannot be initialised where it is declared
// asks:
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS] = {0};
    __syncthreads();

    for (int i = threadIdx.x; i < ITEMS; i += blockDim.x) {
        int pos = blockIdx.x * ITEMS + i;
        if (pos < n)
            atomicAdd(&counts[data[pos]], 1);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
