// cause: each thread adds the cell to its left in place, as in a running sum
// first: race_shared chain
// says: one thread needs what the other replaces
// asks: Which cell does this line read, and which thread changes it in the same step?
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
    __shared__ int cells[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    cells[t] = i < n ? x[i] : 0;
    __syncthreads();
    if (t > 0)
        cells[t] += cells[t - 1];
    __syncthreads();
    if (t == BLOCK - 1)
        sums[blockIdx.x] = cells[t];
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
