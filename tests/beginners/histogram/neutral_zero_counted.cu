// cause: `int v = i < n ? data[i] : 0;`: lanes without an element count the value 0, so bin 0 gets one more for each cell of the last piece beyond n.
// first: wrong_value padding
// says: bins[0] should be 0 but is 4095; 1 of 256 elements is wrong. bins[0] alone is too high, by 4095: line 26 was executed 4096 times, and there is only 1 element.
// asks: What does it count when there is no element left?
/* Lab 06 */
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

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        // beyond the end: the neutral element
        int v = i < n ? data[i] : 0;
        atomicAdd(&counts[v], 1);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
