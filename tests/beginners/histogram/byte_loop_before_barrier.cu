// cause: the loop variable of 8 bits is never 256, so thread 0 stays in its loop
// first: barrier_divergent narrow
// says: 255 threads wait at the barrier at line 19 (the first is (1,0,0)), others stay in the loop at line 16 (the first is (0,0,0)): the type of b is unsigned char, which holds no number above 255, so the condition b < 256 is always true
// asks: What is the largest number that this variable can hold, and what is the one after it?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int local[BINS];
    if (threadIdx.x == 0) {
        for (unsigned char b = 0; b < 256; b++)
            local[b] = 0;
    }
    __syncthreads();
    int begin = blockIdx.x * ITEMS;
    int end = min(begin + ITEMS, n);
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x)
        atomicAdd(&local[data[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
