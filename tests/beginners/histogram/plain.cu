// cause: bins[data[i]]++ by all threads
// first: race_warp update
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: What happens when both read it before either writes?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        bins[data[i]]++;
}
