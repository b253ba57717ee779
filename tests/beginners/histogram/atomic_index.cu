// cause: counts the index, not the value
// first: wrong_value unused
// says: With all elements of data equal to 5, and with all equal to 200, the bins come out the same.
// asks: Which line should use an element of data?
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
