// cause: thread 0 of each block counts the whole array
// first: race_global update
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: What happens when both read it before either writes?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    if (threadIdx.x == 0)
        for (int i = 0; i < n; i++)
            bins[data[i]]++;
}
