// cause: Line 7: the macro's argument has no parentheses, so START(blockIdx.x + 1) in line 23 is blockIdx.x + 1 * ITEMS, that is ITEMS + blockIdx.x: block 1 counts one element only and the later blocks none.
// first: wrong_value not_counted
// says: The counts are exactly those of data[0..4096]
// asks: Line 23 first: What does this line say once the macro is replaced by its text, and the parameter in it by what you wrote?
#define BINS 256
#define ITEMS 4096
#define START(b) (b * ITEMS)

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

    int i = START(blockIdx.x) + threadIdx.x;
    int end = min(n, (int)START(blockIdx.x + 1));

    while (i < end) {
        atomicAdd(&counts[data[i]], 1);
        i += blockDim.x;
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
