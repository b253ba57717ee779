// cause: Line 31: the merge of bin tid is guarded by i < n, a question about elements, so in a block with fewer than 256 elements the bins from there on are not added to the result.
// first: wrong_value tail
// says: histogram, which runs later, stores to bins[0..30] at line 32, and to no other element.
// asks: Which threads add those to the result?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    if (threadIdx.x < BINS)
        bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[BINS];
    int tid = threadIdx.x;
    int i = blockIdx.x * ITEMS + tid;

    counts[tid] = 0;
    __syncthreads();

    for (int k = 0; k < ITEMS; k += blockDim.x) {
        if (i + k < n)
            atomicAdd(&counts[data[i + k]], 1);
    }
    __syncthreads();

    if (i < n)
        atomicAdd(&bins[tid], counts[tid]);
}
