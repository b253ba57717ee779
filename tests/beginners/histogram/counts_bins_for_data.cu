// cause: the index comes from bins, not from data
// first: wrong_value unused
// says: Nothing that is read from data reaches them
// asks: Which line should use an element of data?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int tile[BINS];
    __shared__ int h[BINS];
    h[threadIdx.x] = 0;
    tile[threadIdx.x] = 0;
    __syncthreads();
    for (int s = 0; s < ITEMS; s += BINS) {
        int g = blockIdx.x * ITEMS + s + threadIdx.x;
        if (g < n) {
            tile[threadIdx.x] = data[g];
            atomicAdd(&h[bins[threadIdx.x] & 255], 1);
        }
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], h[threadIdx.x]);
}
