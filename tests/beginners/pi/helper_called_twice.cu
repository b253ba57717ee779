// cause: `float right = block_total(strip(first + 256 + threadIdx.x, n));` calls block_total a second time with the same shared array and no barrier in between: other warps store warp_sums[w] while thread 0 still reads those of the first call
// first: race_shared calls
// says: line 25 belongs to one call of block_total, line 20 to the next one, and no barrier separates the two calls.
// asks: What must have finished in one call of the function before any thread begins the next one?
extern "C" __constant__ int pi_sum_items = 512;

__device__ float strip(int id, int n)
{
    float x = (float)id / (float)n;
    return id < n ? 4.0f / (1.0f + x * x) : 0.0f;
}

// the result is valid in thread 0
__device__ float block_total(float v)
{
    __shared__ float warp_sums[8];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 == 0)
        warp_sums[threadIdx.x / 32] = v;
    __syncthreads();
    float sum = 0.0f;
    if (threadIdx.x == 0) {
        for (int w = 0; w < 8; w++)
            sum += warp_sums[w];
    }
    return sum;
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    int first = blockIdx.x * 512;
    float left = block_total(strip(first + threadIdx.x, n));
    float right = block_total(strip(first + 256 + threadIdx.x, n));
    if (threadIdx.x == 0)
        partial[blockIdx.x] = left + right;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    float mine = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += 256)
        mine += partial[k];
    float sum = block_total(mine);
    if (threadIdx.x == 0)
        partial[0] = sum;
}
