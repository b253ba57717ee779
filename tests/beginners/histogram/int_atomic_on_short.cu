// cause: `atomicAdd((int *)&counts[data[i]], 1);` with `unsigned short counts[BINS]` changes four bytes at the address of two: misaligned for every odd value, and a carry would go into the neighbour.
// first: misaligned
// says: atomic operation of 4 bytes at an address that is not a multiple of 4
// asks: How many bytes does an element of this array have, and how many does the access take?
/* Lab 06: a block counts at most 4096, so a short is enough */
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ unsigned short counts[BINS + 2];
    counts[threadIdx.x] = 0;
    if (threadIdx.x < 2)
        counts[BINS + threadIdx.x] = 0;
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd((int *)&counts[data[i]], 1);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], (int)counts[threadIdx.x]);
}
