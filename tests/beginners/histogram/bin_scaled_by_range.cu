// cause: Line 26: the value is scaled by BINS / 255 as for a range of 0 to 255, although it is the bin already; 255 leads to bin 256, beyond the end of counts (the smaller values happen to stay what they are).
// first: out_of_bounds shared
// says: atomic on counts[256], but counts has 256 elements
// asks: from which parts is this index made?
#define BINS 256
#define ITEMS 4096
#define MAX_VALUE 255

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    counts[threadIdx.x] = 0;
    __syncthreads();

    int end = (blockIdx.x + 1) * ITEMS;
    if (end > n) end = n;
    for (int i = blockIdx.x * ITEMS + threadIdx.x; i < end; i += 256) {
        // like numpy: bin = (x - min) * bins / (max - min)
        int b = data[i] * BINS / MAX_VALUE;
        atomicAdd(&counts[b], 1);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
