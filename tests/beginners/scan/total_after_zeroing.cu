// cause: The total is stored after the last cell has been set to zero for the down-sweep, so every block sum is 0.
// first: wrong_value cleared
// says: and line 22 takes it from there.
// asks: What should be in x[t] when line 22 takes it?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int x[BLOCK];
    const int t = threadIdx.x;
    const int i = blockIdx.x * BLOCK + t;
    const int mine = i < n ? in[i] : 0;
    x[t] = mine;

    for (int h = 1; h < BLOCK; h *= 2) {            // up
        __syncthreads();
        if ((t + 1) % (2 * h) == 0) x[t] += x[t - h];
    }
    __syncthreads();
    if (t == BLOCK - 1) {
        x[t] = 0;
        block_sums[blockIdx.x] = x[t];
    }
    for (int h = BLOCK / 2; h >= 1; h /= 2) {       // down
        __syncthreads();
        if ((t + 1) % (2 * h) == 0) {
            int old = x[t - h];
            x[t - h] = x[t];
            x[t] += old;
        }
    }
    __syncthreads();
    if (i < n) out[i] = x[t] + mine;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (blockIdx.x > 0 && i < n) out[i] += block_sums[blockIdx.x - 1];
}
