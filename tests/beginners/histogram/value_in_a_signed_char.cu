// cause: Line 24: the value is kept in a signed char, so 128 to 255 become -128 to -1 and line 25 counts outside of the array.
// first: out_of_bounds narrow_index
// says: but counts has 256 elements
// asks: which numbers can it hold?
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
        int pos = blockIdx.x * ITEMS + k;
        if (pos < n) {
            signed char value = data[pos];   // 8 bits are enough for 256 values
            atomicAdd(&counts[value], 1);
        }
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
