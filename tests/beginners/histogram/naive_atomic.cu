// cause: each block counts 256 of its 4096 elements
// first: wrong_value not_counted
// says: The counts are exactly those of data[0..255]: the last element was not counted.
// asks: Which thread counts data[256]?
extern "C" __constant__ int histogram_items = 4096;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[data[i]], 1);
}
