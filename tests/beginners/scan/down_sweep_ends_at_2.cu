// cause: `for (int d = BLOCK / 4; d > 1; d /= 2)` ends the down-sweep one step too early: without d = 1 the elements 2, 4, 6 ... stay incomplete
// first: wrong_value missing
// says: in[0..1] are missing in out[2], which has only in[2]. in[0] is read once, at line 13 by thread (0,0,0) of block (0,0,0).
// asks: Which thread should add them, and at which line?
#define BLOCK 256

// Brent and Kung: first up the tree, then down
extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned s[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();

    for (int d = 1; d < BLOCK; d *= 2) {
        int k = 2 * d * (t + 1) - 1;
        if (k < BLOCK)
            s[k] += s[k - d];
        __syncthreads();
    }
    for (int d = BLOCK / 4; d > 1; d /= 2) {
        int k = 2 * d * (t + 1) - 1;
        if (k + d < BLOCK)
            s[k + d] += s[k];
        __syncthreads();
    }

    if (i < n)
        out[i] = s[t];
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = s[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] = (unsigned)out[i] + (unsigned)block_sums[blockIdx.x - 1];
}
