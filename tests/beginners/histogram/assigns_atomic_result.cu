// cause: Line 24: atomicAdd returns the old value, and the assignment stores it back into the bin, undoing the addition (and racing with the other threads).
// first: wrong_value none
// says: In line 24, atomicAdd changes the place itself, and returns the value from before; then the `=` stores there again.
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

    int offset = blockIdx.x * ITEMS;
    for (int i = threadIdx.x; i < ITEMS && offset + i < n; i += 256) {
        int v = data[offset + i];
        counts[v] = atomicAdd(&counts[v], 1);
    }
    __syncthreads();

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
