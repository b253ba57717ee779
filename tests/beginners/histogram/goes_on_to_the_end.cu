// cause: a block's loop does not end with its own piece (no update without an element)
// first: wrong_value counted_again
// says: data[4096] is read 2 times: first by thread (0,0,0) of block (0,0,0), last by thread (0,0,0) of block (1,0,0), at line 19
// asks: Which thread should count data[4096], and which should not?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int h[BINS];
    h[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * ITEMS + threadIdx.x;
    while (i < n) {
        atomicAdd(&h[data[i]], 1);
        i += blockDim.x;
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], h[threadIdx.x]);
}
