// cause: No barrier between counting and adding up, so bins are read while others still count (line 23).
// first: race_mixed
// says: no barrier between them
// asks: A plain access meets an atomic one. Which phase is each of them in?
#define CHUNK 2048
// grid-stride loop: works for any number of blocks
extern "C" __constant__ int histogram_items = CHUNK;

extern "C" __global__ void clear_bins(int *out)
{
    out[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *in, int *out, int n)
{
    __shared__ int s[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        s[b] = 0;
    __syncthreads();
    int step = gridDim.x * blockDim.x;
    for (int pos = blockIdx.x * blockDim.x + threadIdx.x; pos < n; pos += step)
        atomicAdd(s + in[pos], 1);
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        if (s[b] != 0)
            atomicAdd(out + b, s[b]);
}
