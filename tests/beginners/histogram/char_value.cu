// cause: Line 25: char is signed here and holds -128 to 127, so values from 128 on become negative and count into memory before the array (out of bounds).
// first: out_of_bounds narrow_index
// says: but counts has 256 elements (0..255)
// asks: Of which type is the variable that the index is made of, and which numbers can it hold?
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
    int tx = threadIdx.x;
    counts[tx] = 0;
    __syncthreads();

    int base = blockIdx.x * ITEMS;
    for (int i = tx; i < ITEMS; i += blockDim.x) {
        if (base + i < n) {
            char v = data[base + i];    // a value fits in one byte
            atomicAdd(&counts[v], 1);
        }
    }
    __syncthreads();

    atomicAdd(&bins[tx], counts[tx]);
}
