// cause: Line 23: + binds tighter than <<, so the line shifts by 12 + threadIdx.x; in block 0 all threads start at element 0 and count the same elements, and in later blocks the start is far off (even negative).
// first: wrong_value counted_in_block
// says: i begins at b << 12 + threadIdx.x = 0 << (12 + 255) = 0
// asks: Which thread should count data[0], and which should not?
#define BINS 256
#define ITEMS 4096      // 1 << 12

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

    int b = blockIdx.x;
    int end = min((b + 1) << 12, n);
    for (int i = b << 12 + threadIdx.x; i < end; i += blockDim.x)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
