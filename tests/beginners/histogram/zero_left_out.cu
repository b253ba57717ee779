// cause: Line 26: v > 0 leaves out the value 0, so bin 0 stays 0.
// first: wrong_value value
// says: With all elements of data equal to 0, no bin counts them; with all equal to 5, bins[5] does.
// asks: On which line does the way of the value 0 differ from that of 5?
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
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        counts[b] = 0;
    __syncthreads();

    for (int j = 0; j < ITEMS / 256; ++j) {
        int idx = blockIdx.x * ITEMS + j * 256 + threadIdx.x;
        if (idx < n) {
            int v = data[idx];
            if (v > 0 && v < BINS)      // check the value, to be safe
                atomicAdd(&counts[v], 1);
        }
    }
    __syncthreads();

    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        atomicAdd(&bins[b], counts[b]);
}
