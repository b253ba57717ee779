// cause: an unsigned char is always at most 255
// first: fuel narrow
// says: the loop at line 11 never ends: the type of v is unsigned char, which holds no number above 255, so the condition v <= 255 is always true
// asks: What is the largest number that this variable can hold, and what is the one after it?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins)
{
    if (threadIdx.x == 0)
        for (unsigned char v = 0; v <= 255; ++v)
            bins[v] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int begin = blockIdx.x * ITEMS;
    for (int k = threadIdx.x; k < ITEMS; k += blockDim.x)
        if (begin + k < n)
            atomicAdd(&bins[data[begin + k]], 1);
}
