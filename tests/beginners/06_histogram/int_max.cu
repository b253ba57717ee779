// cause: counts with atomicMax
// first: wrong_value collisions
// says: With values that all differ, every element of data is counted once; of elements with the same value, counts get lost.
// asks: What becomes of an update when the bin has one already, and what when another thread or block changes it?
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
