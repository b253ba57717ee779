// cause: every thread adds with atomicAdd to an element that nobody has set to 0
// first: uninitialized atomic
// says: an atomic changes sums[0], which has no initial value
// asks: Which line sets sums to its first value?
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
        atomicAdd(&sums[blockIdx.x], x[i]);
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
