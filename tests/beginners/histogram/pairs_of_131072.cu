// cause: `#define ITEMS 131072`: each half of a word of `pairs` holds at most 65535, but a block counts up to 131072 elements, so one popular value (n = 100003, skewed) overflows its 16 bits, into the neighbour bin or out of the word.
// first: wrong_value wraps
// says: Every wrong bin is low by a multiple of 65536 = 2^16
// asks: How far can a counter of 16 bits count, and where does its next step go?
/* Lab 06: two bins share one word of shared memory */
#define BINS 256
#define ITEMS 131072

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ unsigned pairs[BINS / 2];
    if (threadIdx.x < BINS / 2)
        pairs[threadIdx.x] = 0;
    __syncthreads();

    int first = blockIdx.x * ITEMS;
    for (int k = threadIdx.x; k < ITEMS && first + k < n; k += blockDim.x) {
        int v = data[first + k];
        atomicAdd(&pairs[v >> 1], v & 1 ? 1u << 16 : 1u);
    }
    __syncthreads();

    unsigned word = pairs[threadIdx.x >> 1];
    int mine = threadIdx.x & 1 ? word >> 16 : word & 0xffff;
    atomicAdd(&bins[threadIdx.x], mine);
}
