// cause: __syncwarp() orders one warp only, so in the next step threads read cells of other warps that may not have been stored yet, a race
// first: race_shared turns
// says: line 21 belongs to one turn of the loop in line 17, line 19 to another, and no barrier separates the turns.
// asks: What makes every thread finish a turn before any thread begins the next one?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int sh[BLOCK];
    const int t = threadIdx.x;
    const int i = blockIdx.x * BLOCK + t;

    sh[t] = 0;
    if (i < n) sh[t] = in[i];
    __syncthreads();

    for (int k = 1; k < BLOCK; k <<= 1) {
        int sum = sh[t];
        if (t >= k) sum += sh[t - k];
        __syncthreads();
        sh[t] = sum;
        __syncwarp();
    }
    __syncthreads();

    if (i < n) out[i] = sh[t];
    if (t == 0) block_sums[blockIdx.x] = sh[BLOCK - 1];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
