// cause: Line 26: four bins of 8 bits share a word, but a block counts up to 4096 elements, so a bin that gets more than 255 carries into its neighbour.
// first: wrong_value wraps
// says: but for what the bin before it has carried into it
// asks: How far can a counter of 8 bits count
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    // 4 bins in one word -> only 256 bytes of shared memory
    __shared__ unsigned int packed[BINS / 4];
    int t = threadIdx.x;
    if (t < BINS / 4) packed[t] = 0;
    __syncthreads();

    int begin = blockIdx.x * ITEMS;
    for (int i = begin + t; i < begin + ITEMS && i < n; i += blockDim.x) {
        int v = data[i];
        atomicAdd(&packed[v / 4], 1u << (8 * (v % 4)));
    }
    __syncthreads();

    int mine = (packed[t / 4] >> (8 * (t % 4))) & 0xff;
    atomicAdd(&bins[t], mine);
}
