// cause: clear_bins is empty
// first: never_written before
// says: That is the work of clear_bins, which runs before; bins[31] is then read at line 13.
// asks: You add to a bin. Which kernel sets it to zero?
extern "C" __global__ void clear_bins(int *bins)
{
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[data[i]], 1);
}
