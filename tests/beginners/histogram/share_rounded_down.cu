// cause: `int share = n / threads;` rounds down, and nobody takes the n % threads elements that remain (n = 1: share is 0, nothing is counted).
// first: wrong_value none
// says: share = n/threads = 31/256 = 0
// asks: Where does the way from data to bins end?
/* Lab 06: every thread gets the same number of elements */
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

    int threads = gridDim.x * blockDim.x;
    int me = blockIdx.x * blockDim.x + threadIdx.x;
    int share = n / threads;

    for (int i = me * share; i < (me + 1) * share; i++)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
