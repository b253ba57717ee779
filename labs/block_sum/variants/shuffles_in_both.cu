// expect: pass - shuffles in both kernels; every warp adds the sums of the warps
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
    __shared__ int part[WARPS];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int v = warp_sum(i < n ? x[i] : 0);
    if (lane == 0)
        part[warp] = v;
    __syncthreads();
    v = warp_sum(lane < WARPS ? part[lane] : 0);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = v;
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
