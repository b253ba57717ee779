// cause: every thread adds its element to sums with +=
// first: race_warp update
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: Many threads add to the same element of sums. What does each of them read, and is that still true when it stores?
#define BLOCK 256
#define WARPS (BLOCK / 32)
#define ALL_LANES 0xffffffffu

__device__ int warp_sum(int value)
{
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(ALL_LANES, value, distance);
    return value;
}

extern "C" __global__ void __launch_bounds__(BLOCK) block_sum(const int *x, int *sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        sums[blockIdx.x] += x[i];
}

extern "C" __global__ void __launch_bounds__(BLOCK) dot(const int *x, const int *y, int *products, int n)
{
    __shared__ int warp_sums[WARPS];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    int sum = i < n ? x[i] * y[i] : 0;
    sum = warp_sum(sum);
    if (t % 32 == 0)
        warp_sums[t / 32] = sum;
    __syncthreads();
    if (t < 32)
        sum = warp_sum(t < WARPS ? warp_sums[t] : 0);
    if (t == 0)
        products[blockIdx.x] = sum;
}
