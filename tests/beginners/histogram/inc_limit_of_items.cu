// cause: Line 26: atomicInc goes back to 0 when the old value has reached its second argument, so a bin that gets all 4096 elements of a block ends at 0 instead of 4096 (n = 10000, all equal).
// first: wrong_value inc
// says: is not a step but a limit
// asks: How large can a count become here?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ unsigned counts[BINS];
    counts[threadIdx.x] = 0;
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += 256) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n) {
            int v = data[i];
            // increment by one, needs a limit
            atomicInc(&counts[v], ITEMS - 1);
        }
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], (int)counts[threadIdx.x]);
}
