// expect: pass - a thread adds eight elements before the tree begins; the sums of the warps by an atomic in shared memory
#define BLOCK 256
#define WARPS (BLOCK / 32)
#define ALL_LANES 0xffffffffu

#define EACH 8

extern "C" __constant__ int block_sum_items = BLOCK * EACH;
extern "C" __constant__ int dot_items = BLOCK * EACH;

__device__ int warp_sum(int value)
{
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(ALL_LANES, value, distance);
    return value;
}

extern "C" __global__ void __launch_bounds__(BLOCK) block_sum(const int *x, int *sums, int n)
{
    __shared__ int cells[BLOCK];
    int t = threadIdx.x, first = blockIdx.x * BLOCK * EACH, sum = 0;
    for (int k = first + t; k < first + BLOCK * EACH && k < n; k += BLOCK)
        sum += x[k];
    cells[t] = sum;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (t < half) {
            cells[t] += cells[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        sums[blockIdx.x] = cells[0];
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) dot(const int *x, const int *y, int *products, int n)
{
    __shared__ int total;
    int t = threadIdx.x, first = blockIdx.x * BLOCK * EACH, sum = 0;
    if (t == 0)
        total = 0;
    __syncthreads();
    for (int k = first + t; k < first + BLOCK * EACH && k < n; k += BLOCK)
        sum += x[k] * y[k];
    sum = warp_sum(sum);
    if (t % 32 == 0)
        atomicAdd(&total, sum);
    __syncthreads();
    if (t == 0)
        products[blockIdx.x] = total;
}
