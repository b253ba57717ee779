// expect: at most 88 - no tree and no shuffles: every thread adds to one shared cell by an atomic operation
#define BLOCK 256
#define WARPS (BLOCK / 32)
#define ALL_LANES 0xffffffffu

extern "C" __global__ void __launch_bounds__(BLOCK) block_sum(const int *x, int *sums, int n)
{
    __shared__ int total;
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&total, x[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
}

extern "C" __global__ void __launch_bounds__(BLOCK) dot(const int *x, const int *y, int *products, int n)
{
    __shared__ int total;
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&total, x[i] * y[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        products[blockIdx.x] = total;
}
