// cause: memset is given the number of bins, not of bytes, so 192 of the bins stay uncleared (line 18).
// first: uninitialized bytes
// says: In this block, only the cells 0 to 63 of hist get a first value, by the memset in line 18, which counts bytes.
// asks: How many bytes does the memset in the message set, and how many does hist have?
#define CHUNK 4096
// thread 0 clears, all count, a warp adds up
extern "C" __constant__ int histogram_items = CHUNK;

extern "C" __global__ void clear_bins(int *out)
{
    out[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *data, int *out, int n)
{
    __shared__ int hist[256];
    if (threadIdx.x == 0)
        memset(hist, 0, 256);
    __syncthreads();
    int pos = blockIdx.x * CHUNK + threadIdx.x;
    int stop = (blockIdx.x + 1) * CHUNK;
    while (pos < stop && pos < n) {
        atomicAdd(&hist[data[pos]], 1);
        pos += 256;
    }
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    for (int b = threadIdx.x; b < 256; b += 32)
        atomicAdd(&out[b], hist[b]);
}
