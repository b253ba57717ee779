// cause: `end = n % ITEMS;` is the length of the last piece, not the index at which it ends, so the last of several blocks counts nothing (its begin is already beyond that end).
// first: wrong_value not_counted
// says: end = n%ITEMS = 65537%4096 = 1
// asks: Which thread counts data[65536]?
/* Lab 06 */
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

    int begin = blockIdx.x * ITEMS;
    int end = begin + ITEMS;
    if (blockIdx.x == n / ITEMS) {
        // the last block has fewer elements
        end = n % ITEMS;
    }

    for (int i = begin + threadIdx.x; i < end; i += blockDim.x)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
