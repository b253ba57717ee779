// each thread has 256 counters of its own, in bytes
#define ITEMS 65536

extern "C" __constant__ int histogram_items = 65536;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    unsigned char own[256];
    for (int k = 0; k < 256; k++)
        own[k] = 0;
    for (int k = threadIdx.x; k < ITEMS; k += 256) {
        int i = blockIdx.x * ITEMS + k;
        if (i < n && ++own[data[i]] == 255) {
            atomicAdd(&bins[data[i]], 255);
            own[data[i]] = 0;
        }
    }
    for (int k = 0; k < 256; k++)
        if (own[k] > 0)
            atomicAdd(&bins[k], (int)own[k]);
}
