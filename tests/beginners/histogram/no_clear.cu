// cause: clear_bins is empty
// first: never_written no_store
// says: No line of clear_bins stores into bins.
// asks: On which line of clear_bins does an element of bins get its new value?
extern "C" __global__ void clear_bins(int *bins)
{
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[data[i]], 1);
}
