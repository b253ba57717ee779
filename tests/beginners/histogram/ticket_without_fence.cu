// cause: `parts[blockIdx.x * BINS + threadIdx.x] = counts[threadIdx.x];` is announced by `atomicInc(&ready, gridDim.x - 1)` without a __threadfence() in between, so the last block may see the ticket but not yet the other blocks' counts: race in global memory.
// first: race_global read_no_block
// says: parts[0] written by thread (0,0,0) of block (0,0,0) (line 34) and read by thread (0,0,0) of block (1,0,0) (line 44)
// asks: How does a block learn that parts holds what another block has stored, and what makes that visible in the right order?
/* Lab 06: last block adds up. atomicInc goes back to 0 by itself after the last block. */
#define BINS 256
#define ITEMS 4096
#define MOST 2048

extern "C" __constant__ int histogram_items = ITEMS;

__device__ int parts[MOST * BINS];
__device__ unsigned ready;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    __shared__ unsigned ticket;
    counts[threadIdx.x] = 0;
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    parts[blockIdx.x * BINS + threadIdx.x] = counts[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        ticket = atomicInc(&ready, gridDim.x - 1);
    __syncthreads();

    if (ticket == gridDim.x - 1) {
        __threadfence();
        int sum = bins[threadIdx.x];
        for (unsigned p = 0; p < gridDim.x; p++)
            sum += parts[p * BINS + threadIdx.x];
        bins[threadIdx.x] = sum;
    }
}
