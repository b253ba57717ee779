// expect: pass - blocks of 512; the tree goes down to a warp, which then adds by shuffles; xor in dot
#define BLOCK 512
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
    for (int s = blockDim.x / 2; s >= 32; s >>= 1) {
        if (t < s)
            cells[t] += cells[t + s];
        __syncthreads();
    }
    if (t < 32) {
        int v = warp_sum(cells[t]);
        if (t == 0)
            sums[blockIdx.x] = v;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) dot(const int *x, const int *y, int *products, int n)
{
    __shared__ int warp_sums[32];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    int sum = i < n ? x[i] * y[i] : 0;
    for (int m = 1; m < 32; m <<= 1)
        sum += __shfl_xor_sync(ALL_LANES, sum, m);
    if ((t & 31) == 0)
        warp_sums[t >> 5] = sum;
    __syncthreads();
    if (t == 0) {
        int total = 0;
        for (int k = 0; k < WARPS; k++)
            total += warp_sums[k];
        products[blockIdx.x] = total;
    }
}
