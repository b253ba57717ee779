// cause: thread 0 merges with +=
// first: race_global no_block
// says: blockIdx is not in the index, so every block uses the same elements.
// asks: What happens when two of them change one at the same moment?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    counts[threadIdx.x] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();
    if (threadIdx.x == 0)
        for (int b = 0; b < 256; b++)
            bins[b] += counts[b];
}
