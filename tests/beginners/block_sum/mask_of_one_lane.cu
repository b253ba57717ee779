// cause: the mask names lane 0 only
// first: sync_mask unnamed
// says: the mask 0x00000001 leaves out lane 1, which executes this line
// asks: The mask has one bit for each lane of the warp. Which bits are set, and which lanes execute this line?
#define BLOCK 256
#define WARPS (BLOCK / 32)
#define ALL_LANES 1u

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
