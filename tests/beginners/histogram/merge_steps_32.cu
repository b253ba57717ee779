// cause: `for (int b = threadIdx.x; b < BINS; b += 32)` in the merge: all 256 threads run it, so bin b is added by each thread t <= b with the same remainder modulo 32, up to eight times.
// first: wrong_value merged_again
// says: Line 26 counts each element once, and line 32 is executed 1152 times: 256 bins in each of 1 block would be 256.
// asks: Which threads come to the same bin there?
/* Lab 06 */
#define BINS 256
#define ITEMS 4096
#define WARP 32

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
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    // 32 neighbouring bins per step
    for (int b = threadIdx.x; b < BINS; b += WARP)
        atomicAdd(&bins[b], counts[b]);
}
