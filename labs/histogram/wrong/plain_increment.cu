// expect: race_global|race_warp - bins[v]++ is a read, an addition and a write: updates get lost in between
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        bins[data[i]]++;
    }
}
