// cause: Line 31: the barrier stands inside the counting loop, whose number of turns differs between threads when the block's elements are not a multiple of 256, so not all threads reach it (and none separates counting from merging).
// first: barrier_divergent loop
// says: Line 31 is in the loop of line 28: each turn needs every thread.
// asks: How many turns of the loop does the first thread in the message make, and how many the others?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    int b = threadIdx.x;
    bins[b] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    int tid = threadIdx.x;
    int from = blockIdx.x * ITEMS;
    int to = from + ITEMS;
    if (to > n)
        to = n;

    counts[tid] = 0;
    __syncthreads();

    for (int i = from + tid; i < to; i += blockDim.x) {
        int value = data[i];
        atomicAdd(&counts[value], 1);
        __syncthreads();
    }

    atomicAdd(&bins[tid], counts[tid]);
}
