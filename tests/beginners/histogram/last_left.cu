// cause: the guard is one too strict
// first: wrong_value not_counted
// says: The counts are exactly those of data[0..253]: the last element was not counted.
// asks: Which thread counts data[254]?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1)
        atomicAdd(&bins[data[i]], 1);
}
