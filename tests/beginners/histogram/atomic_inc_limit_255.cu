// cause: the limit of atomicInc is taken for the last bin
// first: wrong_value inc
// says: Line 18 counts with atomicInc, whose second argument, 255, is not a step but a limit: a counter that has reached it is set to 0 by its next update
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
    unsigned int *ub = (unsigned int *)bins;
    for (int i = threadIdx.x; i < ITEMS; i += blockDim.x) {
        int at = blockIdx.x * ITEMS + i;
        if (at < n)
            atomicInc(&ub[data[at]], 255);
    }
}
