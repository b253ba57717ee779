// cause: atomicAdd adds to block_sums[blockIdx.x], which holds rubbish and was never set to 0
// first: uninitialized atomic
// says: an atomic changes block_sums[0], which has no initial value: it was never set to zero
// asks: Which line sets block_sums to its first value?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    int mine = 0;
    if (i < n) {
        mine = in[i];
        atomicAdd(&block_sums[blockIdx.x], mine);
    }
    s[t] = mine;
    __syncthreads();

    for (int d = 1; d < BLOCK; d *= 2) {
        int left = (t < d) ? 0 : s[t - d];
        __syncthreads();
        s[t] += left;
        __syncthreads();
    }
    if (i < n)
        out[i] = s[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
