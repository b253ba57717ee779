// cause: the second update has the index of the first
// first: wrong_value same_thread
// says: data[0] is read 2 times by thread (0,0,0) of block (0,0,0), first at line 13, last at line 14
// asks: Should this thread count data[0] more than once, or another element?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __constant__ int histogram_items = 512;
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * 512 + threadIdx.x;
    if (i < n) atomicAdd(&bins[data[i]], 1);
    if (i + 256 < n) atomicAdd(&bins[data[i]], 1);
}
