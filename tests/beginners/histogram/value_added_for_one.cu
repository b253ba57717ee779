// cause: atomicAdd adds the value data[i] to the bin instead of 1 (line 24).
// first: wrong_value factor
// says: Every bin is right but for a factor: bin v is v times what it should be.
// asks: What does an element add to its bin?
#define BINS 256
#define ITEMS 4096

extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *out)
{
    out[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *values, int *out, int n)
{
    __shared__ int counts[BINS];
    int me = threadIdx.x;
    counts[me] = 0;
    __syncthreads();
    for (int j = me; j < ITEMS; j += blockDim.x) {
        int i = blockIdx.x * ITEMS + j;
        if (i < n)
            atomicAdd(&counts[values[i]], values[i]);
    }
    __syncthreads();
    atomicAdd(&out[me], counts[me]);
}
