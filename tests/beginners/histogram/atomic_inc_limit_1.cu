// cause: The second argument of atomicInc is not a step but the limit after which the counter starts again at 0, so a bin is only ever 0 or 1.
// first: wrong_value inc
// says: is not a step but a limit: a counter that has reached it is set to 0 by its next update.
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
    __shared__ unsigned int counts[BINS];
    unsigned int tid = threadIdx.x;

    counts[tid] = 0;
    __syncthreads();
    for (unsigned int k = tid; k < ITEMS; k += blockDim.x) {
        unsigned int i = blockIdx.x * ITEMS + k;
        if (i < n) {
            atomicInc(&counts[data[i]], 1);
        }
    }
    __syncthreads();
    atomicAdd(&bins[tid], (int)counts[tid]);
}
