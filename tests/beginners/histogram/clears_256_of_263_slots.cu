// cause: `counts[threadIdx.x] = 0;` clears the cells 0..255, but with the padding `SLOT(v)` the bins go up to cell 262; the cells 256..262 (values 249..255) start with rubbish.
// first: uninitialized shared
// says: The block has 256 threads.
// asks: Which cells of counts did no thread set?
/* Lab 06: one free cell after every 32 bins, against bank conflicts */
#define BINS 256
#define ITEMS 4096
#define SLOT(v) ((v) + (v) / 32)
#define PADDED (BINS + BINS / 32)

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[PADDED];
    counts[threadIdx.x] = 0;
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&counts[SLOT(data[i])], 1);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[SLOT(threadIdx.x)]);
}
