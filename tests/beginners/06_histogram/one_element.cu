// cause: each thread counts one element of the block's 4096
// first: wrong_value tail
// says: The bins are exactly those of data[0..255]: the last element was not counted.
// asks: Which thread counts data[256]?
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
