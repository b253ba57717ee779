// cause: Line 41: the ticket of the last block is gridDim.x - 1, because atomicAdd returns the old value, so no block ever takes itself for the last one and bins stays 0.
// first: wrong_value none
// says: and none at line 47. Line 47 depends on the condition in line 45: if (last)
// asks: Where does the way from data to bins end?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

// the blocks add here, the last block copies to bins
__device__ int total[BINS];
__device__ unsigned int done = 0;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
    total[threadIdx.x] = 0;
    if (threadIdx.x == 0) done = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    __shared__ bool last;
    int t = threadIdx.x;
    counts[t] = 0;
    __syncthreads();

    for (int k = t; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n) atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    atomicAdd(&total[t], counts[t]);
    __threadfence();
    __syncthreads();

    if (t == 0) {
        unsigned int ticket = atomicAdd(&done, 1u);
        last = (ticket == gridDim.x);
    }
    __syncthreads();

    if (last) {
        __threadfence();
        bins[t] = atomicAdd(&total[t], 0);
    }
}
