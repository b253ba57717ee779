// cause: The guard of the elements is used for the bins: with n below 256 the bins from n on are never added.
// first: wrong_value tail
// says: histogram, which runs later, stores to bins[0..30] at line 29, and to no other element.
// asks: Which threads add those to the result?
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
    int t = threadIdx.x;
    counts[t] = 0;
    __syncthreads();

    for (int k = t; k < ITEMS; k += blockDim.x) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n) atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();

    if (t < n) {
        atomicAdd(&bins[t], counts[t]);
    }
}
