// cause: The upper half of the bins is never added to the result: 128 threads add only one bin each (line 30).
// first: wrong_value tail
// says: stores to bins[0..127] at line 30, and to no other element.
// asks: Which threads add those to the result?
#define THREADS 128
#define PER_BLOCK (THREADS * 32)

extern "C" __constant__ int histogram_block[3] = {THREADS, 1, 1};
extern "C" __constant__ int histogram_items = PER_BLOCK;

extern "C" __global__ void clear_bins(int *bins)
{
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
        bins[bin] = 0;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ unsigned local[2 * THREADS];
    unsigned t = threadIdx.x;
    local[t] = 0;
    local[t + THREADS] = 0;
    __syncthreads();
    const int *p = data + blockIdx.x * PER_BLOCK;
    int here = n - (int)blockIdx.x * PER_BLOCK;
    if (here > PER_BLOCK) here = PER_BLOCK;
    for (int j = t; j < here; j += THREADS)
        atomicAdd(&local[p[j]], 1u);
    __syncthreads();
    atomicAdd(&bins[t], (int)local[t]);
}
