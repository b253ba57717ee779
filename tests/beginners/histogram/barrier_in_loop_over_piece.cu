// cause: `__syncthreads();` inside `for (int i = begin + threadIdx.x; i < end; i += blockDim.x)`: the threads run the loop different numbers of times when the piece is not a multiple of 256, so some wait at this barrier and others at the one after the loop.
// first: barrier_mismatch loop
// says: Line 28 is in the loop of line 26: each turn needs every thread.
// asks: How many turns of the loop does the first thread in the message make, and how many the others?
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
    int begin = blockIdx.x * ITEMS;
    int end = begin + ITEMS;
    if (end > n)
        end = n;

    counts[threadIdx.x] = 0;
    __syncthreads();

    for (int i = begin + threadIdx.x; i < end; i += blockDim.x) {
        atomicAdd(&counts[data[i]], 1);
        __syncthreads();    // all have counted this round
    }

    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
