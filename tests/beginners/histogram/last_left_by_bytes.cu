// cause: the last element is left out; the small types are large enough
// first: wrong_value not_counted
// says: The counts are exactly those of data[0..253]: the last element was not counted
// asks: Which thread counts data[254]?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __constant__ int histogram_items = 128;
extern "C" __global__ void __launch_bounds__(256) histogram(const int *data, int *bins, int n)
{
    unsigned char seen = 0;
    int start = blockIdx.x * 128;
    for (unsigned char k = 0; k < 128; k++)
        if (start + k < n - 1 && data[start + k] == threadIdx.x)
            seen++;
    atomicAdd(&bins[threadIdx.x], seen);
}
