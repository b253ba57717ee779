// cause: `bytes[b] = 0;` with b < BINS in clear_bins clears 256 bytes, not 256 ints, so only the first 64 of the 256 bins are set to zero and the others keep their rubbish.
// first: never_written before
// says: clear_bins, which runs before, leaves bins[64] unwritten; it is then read at line 34.
// asks: Line 14 first: How many bytes does one element of the array have, and how many elements does this pointer count in them?
/* Lab 06: histogram with 256 bins */
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    // like memset
    unsigned char *bytes = (unsigned char *)bins;
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        bytes[b] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        counts[b] = 0;
    __syncthreads();

    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        atomicAdd(&bins[b], counts[b]);
}
