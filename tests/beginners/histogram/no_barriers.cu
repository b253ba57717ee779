// cause: no barrier between clearing, counting and adding
// first: race_mixed
// says: no barrier between them
// asks: A plain access meets an atomic one. Which phase is each of them in?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int counts[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    counts[threadIdx.x] = 0;
    if (i < n)
        atomicAdd(&counts[data[i]], 1);
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
