// cause: Every thread of the block adds all 256 bins, so each count arrives 256 times (line 24).
// first: wrong_value each
// says: Each element is counted 256 times. in[0] is read once, at line 22 by thread (0,0,0) of block (0,0,0).
// asks: By which ways does one element reach its bin, and how often?
#define ITEMS 2048
// grid-stride loop: works for any number of blocks
extern "C" __constant__ int histogram_items = ITEMS;

extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *in, int *bins, int count_n)
{
    __shared__ int s[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        s[b] = 0;
    __syncthreads();
    int step = gridDim.x * blockDim.x;
    for (int idx = blockIdx.x * blockDim.x + threadIdx.x; idx < count_n; idx += step)
        atomicAdd(s + in[idx], 1);
    __syncthreads();
    for (int b = 0; b < 256; b++)
        if (s[b] != 0)
            atomicAdd(bins + b, s[b]);
}
