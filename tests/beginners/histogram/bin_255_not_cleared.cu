// cause: clear_bins leaves out bin 255 (line 14).
// first: never_written left
// says: clear_bins, which runs before, leaves bins[255] unwritten; it is then read at line 31.
// asks: Which condition makes the thread in the message leave, and should it?
#define THREADS 128
#define PER_BLOCK (THREADS * 32)

extern "C" __constant__ int histogram_block[3] = {THREADS, 1, 1};
extern "C" __constant__ int histogram_items = PER_BLOCK;

extern "C" __global__ void clear_bins(int *bins)
{
    for (int b = threadIdx.x; b < 255; b += blockDim.x)
        bins[b] = 0;
}

extern "C" __global__ void histogram(const int *values, int *bins, int n)
{
    __shared__ unsigned local[2 * THREADS];
    unsigned t = threadIdx.x;
    local[t] = 0;
    local[t + THREADS] = 0;
    __syncthreads();
    const int *p = values + blockIdx.x * PER_BLOCK;
    int here = n - (int)blockIdx.x * PER_BLOCK;
    if (here > PER_BLOCK) here = PER_BLOCK;
    for (int k = t; k < here; k += THREADS)
        atomicAdd(&local[p[k]], 1u);
    __syncthreads();
    atomicAdd(&bins[t], (int)local[t]);
    atomicAdd(&bins[t + THREADS], (int)local[t + THREADS]);
}
