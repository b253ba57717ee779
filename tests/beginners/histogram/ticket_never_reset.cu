// cause: `atomicAdd(&finished, 1) == gridDim.x - 1`: finished is a __device__ variable that is never set back, so from the second launch on the block that is really the last never sees gridDim.x - 1: no block adds up and the bins stay 0 (or a block that came too early adds up old counts).
// first: wrong_value kept
// says: Line 38 adds to finished, a variable that keeps its value from one launch to the next, and no line sets it again.
// asks: What does the variable in the message hold when a launch begins, and what when the next one does?
/* Lab 06: each block leaves its counts in a table, the last one to finish adds them up */
#define BINS 256
#define ITEMS 4096
#define MAX_BLOCKS 2048

extern "C" __constant__ int histogram_items = ITEMS;

__device__ int table[MAX_BLOCKS][BINS];
__device__ unsigned finished = 0;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    __shared__ bool last;
    counts[threadIdx.x] = 0;
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    table[blockIdx.x][threadIdx.x] = counts[threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(&finished, 1) == gridDim.x - 1;
    __syncthreads();

    if (last) {
        __threadfence();
        int sum = 0;
        for (unsigned block = 0; block < gridDim.x; block++)
            sum += table[block][threadIdx.x];
        bins[threadIdx.x] += sum;
    }
}
