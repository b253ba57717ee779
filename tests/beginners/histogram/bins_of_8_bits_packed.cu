// cause: Four bins of 8 bits share a word; a block counts up to 4096 equal values, and a bin that passes 255 carries into its neighbour.
// first: wrong_value wraps
// says: Every wrong bin is low by a multiple of 256 = 2^8, but for what the bin before it has carried into it.
// asks: How far can a counter of 8 bits count, and where does its next step go?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

// Four counters in each word: a quarter of the shared memory.
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ unsigned words[BINS / 4];
    int t = threadIdx.x;
    if (t < BINS / 4) words[t] = 0;
    __syncthreads();

    for (int k = t; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n) {
            int v = data[i];
            atomicAdd(&words[v / 4], 1u << (8 * (v % 4)));
        }
    }
    __syncthreads();

    int c = (words[t / 4] >> (8 * (t % 4))) & 255;
    atomicAdd(&bins[t], c);
}
