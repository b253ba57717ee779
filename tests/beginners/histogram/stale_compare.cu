// cause: old is read once, and the loop compares with it for ever
// first: barrier_divergent waits
// says: others stay in the loop at line 18
// asks: Which value in memory does the loop in line 18 wait for
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

__device__ void increment(int *cell)
{
    int old = atomicAdd(cell, 0);
    while (atomicCAS(cell, old, old + 1) != old) {
        // somebody else was faster, try again
    }
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n) increment(&counts[data[i]]);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
