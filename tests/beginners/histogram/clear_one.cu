// cause: clear_bins clears bins[0] only
// first: never_written same_element
// says: Line 7 stores bins[0] in each of 256 threads.
// asks: What in the index of line 7 differs from thread to thread?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[0] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[data[i]], 1);
}
