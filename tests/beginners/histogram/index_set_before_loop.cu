// cause: the index is computed before the loop and never moves on, so each thread counts its first element 16 times
// first: wrong_value each
// says: data[0] is read 16 times by thread (0,0,0) of block (0,0,0), at line 22.
// asks: By which ways does one element reach its bin, and how often?
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
    int i = blockIdx.x * ITEMS + threadIdx.x;
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x)
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
