// cause: Line 30: with blocks of 64 threads (line 9) only bins 0 to 63 are added to the result, the counts of the values from 64 on are lost.
// first: wrong_value tail
// says: stores to bins[0..63] at line 30, and to no other element
// asks: Which threads add those to the result?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __constant__ int histogram_block[3] = {64, 1, 1};      // two warps

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        counts[b] = 0;
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
