// cause: Threads whose first element does not exist return before the barriers, and their bins are missing (line 17).
// first: early_exit
// says: 255 threads of the block left at line 17 (the first is (1,0,0)); only one goes on to the barrier at line 20 without them
// asks: Which threads returned before a barrier? What were they supposed to do before it or after it?
#define CHUNK 4096
// thread 0 clears, all count, a warp adds up
extern "C" __constant__ int histogram_items = CHUNK;

extern "C" __global__ void clear_bins(int *result)
{
    result[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *in, int *result, int n)
{
    __shared__ int counts[256];
    if (blockIdx.x * CHUNK + threadIdx.x >= n) return;
    if (threadIdx.x == 0)
        memset(counts, 0, sizeof counts);
    __syncthreads();
    int i = blockIdx.x * CHUNK + threadIdx.x;
    int stop = (blockIdx.x + 1) * CHUNK;
    while (i < stop && i < n) {
        atomicAdd(&counts[in[i]], 1);
        i += 256;
    }
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    for (int b = threadIdx.x; b < 256; b += 32)
        atomicAdd(&result[b], counts[b]);
}
