// cause: each thread counts one element of the block's 4096
// first: wrong_value period
// says: Exactly the first 256 of each 4096 elements were counted.
// asks: How many elements is a block responsible for, and how many threads does it have?
extern "C" __constant__ int histogram_items = 4096;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * 4096 + threadIdx.x;
    if (i < n)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
