// cause: counts with atomicMax
// first: wrong_value lost_updates
// says: The bins add up to 29, but there are 31 elements: 2 are missing.
// asks: Is an element counted by nobody, or is one count overwritten by another?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicMax(&bins[data[i]], 1);
}
