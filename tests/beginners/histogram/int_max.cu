// cause: counts with atomicMax
// first: wrong_value presence
// says: Every bin is 1 if its value occurs, however often it does.
// asks: What does the second element of a value change in its bin?
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
