// cause: The barrier is inside the loop, which threads of the last block run different numbers of times (line 25).
// first: barrier_mismatch loop
// says: 255 threads wait at the barrier at line 27 (the first is (1,0,0)), 1 at the barrier at line 25 (the first is (0,0,0)).
// asks: How many turns of the loop does the first thread in the message make, and how many the others?
#define CHUNK 4096
// thread 0 clears, all count, a warp adds up
extern "C" __constant__ int histogram_items = CHUNK;

extern "C" __global__ void clear_bins(int *out)
{
    out[threadIdx.x] = 0;
}

extern "C" __global__ void histogram(const int *in, int *out, int n)
{
    __shared__ int counts[256];
    if (threadIdx.x == 0)
        memset(counts, 0, sizeof counts);
    __syncthreads();
    int idx = blockIdx.x * CHUNK + threadIdx.x;
    int stop = (blockIdx.x + 1) * CHUNK;
    while (idx < stop && idx < n) {
        atomicAdd(&counts[in[idx]], 1);
        idx += 256;
        __syncthreads();
    }
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    for (int bin = threadIdx.x; bin < 256; bin += 32)
        atomicAdd(&out[bin], counts[bin]);
}
