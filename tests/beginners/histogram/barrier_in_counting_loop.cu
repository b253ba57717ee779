// cause: Line 25: the barrier is inside the counting loop, which the threads of the last block run a different number of times when n is not a multiple of 256, so some threads wait in the loop at a barrier that the others, which have left the loop, never reach; and no barrier lies between the last turn of the loop and the addition of the bins.
// first: barrier_divergent loop
// says: Line 25 is in the loop of line 23: each turn needs every thread
// asks: How many turns of the loop does the first thread in the message make
#define BINS 256
#define ITEMS 4096

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

    int lo = blockIdx.x * ITEMS;
    int hi = min(lo + ITEMS, n);
    for (int i = lo + threadIdx.x; i < hi; i += blockDim.x) {
        atomicAdd(&counts[data[i]], 1);
        __syncthreads();
    }

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
