// cause: After eight steps the result is back in buffer 0, but the result is taken from buffer 1, which holds the state before the last step (line 20).
// first: wrong_value steps
// says: The loop in line 15 makes this step. Which array or variable does it leave its result in?
// asks: Is the step with distance 128 made, and is what it leaves what is stored?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned s[2][BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    int r = 0;
    s[0][t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        s[1 - r][t] = t >= d ? s[r][t] + s[r][t - d] : s[r][t];
        __syncthreads();
        r = 1 - r;
    }
    unsigned result = s[1][t];
    if (i < n)
        out[i] = result;
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = result;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] = (unsigned)out[i] + (unsigned)block_sums[blockIdx.x - 1];
}
