// a tree up and a tree down, with bank conflicts
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned s[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    unsigned own = i < n ? in[i] : 0;
    s[t] = own;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        int k = 2 * d * (t + 1) - 1;
        if (k < BLOCK)
            s[k] += s[k - d];
        __syncthreads();
    }
    if (t == 0) {
        block_sums[blockIdx.x] = s[BLOCK - 1];
        s[BLOCK - 1] = 0;
    }
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        int k = 2 * d * (t + 1) - 1;
        if (k < BLOCK) {
            unsigned left = s[k - d];
            s[k - d] = s[k];
            s[k] += left;
        }
        __syncthreads();
    }
    if (i < n)
        out[i] = s[t] + own;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] = (int)((unsigned)out[i] + (unsigned)block_sums[blockIdx.x - 1]);
}
