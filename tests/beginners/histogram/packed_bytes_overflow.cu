// cause: Line 28: four counters of 8 bits share an int, but a block may find a value more than 255 times; the counter then overflows into its neighbour.
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

// packs four bins into one word to save shared memory
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ unsigned packed[BINS / 4];
    const int tid = threadIdx.x;

    if (tid < BINS / 4)
        packed[tid] = 0;
    __syncthreads();

    const int first = blockIdx.x * ITEMS;
    for (int i = first + tid; i < min(first + ITEMS, n); i += blockDim.x) {
        int v = data[i];
        atomicAdd(&packed[v / 4], 1u << (8 * (v % 4)));
    }
    __syncthreads();

    unsigned c = (packed[tid / 4] >> (8 * (tid % 4))) & 0xff;
    if (c)
        atomicAdd(&bins[tid], (int)c);
}
