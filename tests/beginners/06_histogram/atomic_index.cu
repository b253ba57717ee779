// cause: counts the index, not the value
// first: wrong_value other
// says: The bins add up to n = 31, as they should, but 28 are too high and 26 too low.
// asks: Which bin does a value belong to?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[i % 256], 1);
}
