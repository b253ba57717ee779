// cause: every second element is left out; the limit of atomicInc is large enough
// first: wrong_value not_counted
// says: No thread reads data[1]
// asks: Which thread should count data[1]?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        atomicInc((unsigned int *)&bins[data[i]], 0xffffffffu);
}
