// expect: pass - two counters of 16 bits share a word
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ unsigned packed[BINS / 2];
    int t = threadIdx.x;
    if (t < BINS / 2)
        packed[t] = 0;
    __syncthreads();
    int first = blockIdx.x * ITEMS;
    for (int i = first + t; i < first + ITEMS && i < n; i += blockDim.x)
        atomicAdd(&packed[data[i] >> 1], data[i] & 1 ? 0x10000u : 1u);
    __syncthreads();
    unsigned w = packed[t >> 1];
    atomicAdd(&bins[t], (int)(t & 1 ? w >> 16 : w & 0xffffu));
}
