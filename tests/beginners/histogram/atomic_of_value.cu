// cause: adds the value instead of 1
// first: wrong_value factor
// says: Every bin is right but for a factor: bin v is v times what it should be.
// asks: What does an element add to its bin?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[data[i]], data[i]);
}
