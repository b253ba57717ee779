// cause: four counters share a word with 8 bits each; a count of 256 or more carries into its neighbour
// first: wrong_value wraps
// says: but for what the bin before it has carried into it.
// asks: How far can a counter of 8 bits count, and where does its next step go?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ unsigned packed[BINS / 4];
    if (threadIdx.x < BINS / 4)
        packed[threadIdx.x] = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n) {
            int v = data[i];
            atomicAdd(&packed[v / 4], 1u << (8 * (v % 4)));
        }
    }
    __syncthreads();
    unsigned count = packed[threadIdx.x / 4] >> (8 * (threadIdx.x % 4)) & 255;
    atomicAdd(&bins[threadIdx.x], (int)count);
}
