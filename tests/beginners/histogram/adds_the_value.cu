// cause: The value is added instead of 1: bin v holds v times the count.
// first: wrong_value factor
// says: Every bin is right but for a factor: bin v is v times what it should be.
// asks: What does an element add to its bin?
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
    const int tid = threadIdx.x;

    counts[tid] = 0;
    __syncthreads();

    for (int k = tid; k < ITEMS; k += blockDim.x)
    {
        const int i = blockIdx.x * ITEMS + k;
        if (i >= n)
            continue;
        const int value = data[i];
        atomicAdd(&counts[value], value);
    }
    __syncthreads();

    atomicAdd(&bins[tid], counts[tid]);
}
