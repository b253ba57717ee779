// cause: Line 29: bins[b] is read first and then exchanged for the sum in a separate step, so between the two another block can change the bin and its part is lost (race between blocks).
// first: race_mixed blocks
// says: (line 29); nothing orders the two blocks
// asks: What orders the two?
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
    int b = threadIdx.x;
    counts[b] = 0;
    __syncthreads();

    int offset = blockIdx.x * ITEMS;
    for (int k = b; k < ITEMS && offset + k < n; k += blockDim.x)
        atomicAdd(&counts[data[offset + k]], 1);
    __syncthreads();

    // publish the result atomically
    int total = bins[b] + counts[b];
    atomicExch(&bins[b], total);
}
