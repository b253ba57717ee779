// cause: a counter of 8 bits, by a typedef
// first: wrong_value narrow
// says: Line 13 declares cnt with the type byte, which holds 0 to 255: a count that goes beyond comes out 256 too low, or a multiple of that
// asks: How large must cnt be able to become in this case?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
typedef unsigned char byte;
extern "C" __constant__ int histogram_items = 2048;
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    byte cnt = 0;
    int lo = blockIdx.x * 2048, hi = lo + 2048;
    if (hi > n) hi = n;
    for (int k = lo; k < hi; ++k)
        cnt += (data[k] == threadIdx.x);
    atomicAdd(&bins[threadIdx.x], (int)cnt);
}
