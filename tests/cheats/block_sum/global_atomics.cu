// expect: at most 76 - no tree and no shuffles: every thread adds to the block's element by an atomic operation
#define BLOCK 256
#define WARPS (BLOCK / 32)
#define ALL_LANES 0xffffffffu

extern "C" __global__ void __launch_bounds__(BLOCK) block_sum(const int *x, int *sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (threadIdx.x == 0)
        sums[blockIdx.x] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&sums[blockIdx.x], x[i]);
}

extern "C" __global__ void __launch_bounds__(BLOCK) dot(const int *x, const int *y, int *products, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (threadIdx.x == 0)
        products[blockIdx.x] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&products[blockIdx.x], x[i] * y[i]);
}
