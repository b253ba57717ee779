// cause: The counters are unsigned char, so a count above 255 overflows (line 28).
// first: wrong_value wraps
// says: Line 18 declares small as unsigned char.
// asks: How far can a counter of 8 bits count, and where does its next step go?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *values, int *bins, int n)
{
    __shared__ int my_bins[BINS];
    __shared__ unsigned char small[BINS];
    int t = threadIdx.x;
    my_bins[t] = 0;
    __syncthreads();
    for (int k = t; k < ITEMS; k += blockDim.x) {
        int pos = blockIdx.x * ITEMS + k;
        if (pos < n)
            atomicAdd(&my_bins[values[pos]], 1);
    }
    __syncthreads();
    small[t] = my_bins[t];
    atomicAdd(&bins[t], small[t]);
}
