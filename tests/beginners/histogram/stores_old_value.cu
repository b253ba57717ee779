// cause: the old value that atomicAdd returns is stored over the sum
// first: wrong_value none
// says: All counts are 0, though there are elements
// asks: Where does the way from data to bins end?
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
    int base = blockIdx.x * ITEMS;
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x) {
        if (base + k < n) {
            int v = data[base + k];
            atomicAdd(&counts[v], 1);
        }
    }
    __syncthreads();
    bins[threadIdx.x] = atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
