// cause: every thread counts all elements of its block
// first: wrong_value every_thread
// says: data[0] is read 256 times: first by thread (0,0,0) of block (0,0,0), last by thread (255,0,0) of block (0,0,0), at line 17
// asks: Which of these threads should count data[0], and which should not?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int base = blockIdx.x * ITEMS;
    for (int i = 0; i < ITEMS; i++)
        if (base + i < n)
            atomicAdd(&bins[data[base + i]], 1);
}
