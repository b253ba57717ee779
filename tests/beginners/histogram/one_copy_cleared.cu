// cause: each warp has its own copy of the bins, but only the first copy is set to zero
// first: uninitialized shared
// says: counts[1][0], which was never written, is read at line 28
// asks: Which cells of counts did no thread set?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[8][BINS];
    int warp = threadIdx.x / 32;
    counts[0][threadIdx.x] = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n)
            atomicAdd(&counts[warp][data[i]], 1);
    }
    __syncthreads();
    int sum = 0;
    for (int w = 0; w < 8; w++)
        sum += counts[w][threadIdx.x];
    atomicAdd(&bins[threadIdx.x], sum);
}
