// cause: Line 27: the second argument of atomicInc is the limit after which the counter goes back to 0, not the amount, so with 1 the bin only changes between 0 and 1.
// first: wrong_value inc
// says: Line 27 counts with atomicInc, whose second argument, 1, is not a step but a limit
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
    const unsigned int t = threadIdx.x;
    counts[t] = 0u;
    __syncthreads();

    const unsigned int first = blockIdx.x * ITEMS;
    for (unsigned int i = first + t; i < first + ITEMS; i += blockDim.x) {
        if (i >= (unsigned int)n)
            break;
        const int v = data[i];
        atomicInc(&counts[v], 1);
    }
    __syncthreads();

    atomicAdd(&bins[t], (int)counts[t]);
}
