// cause: Every thread adds its element to block_sums, which holds rubbish before the launch and is never set to 0 (line 16).
// first: uninitialized atomic
// says: an atomic changes block_sums[0], which has no initial value: it was never set to zero
// asks: Which line sets block_sums to its first value?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[2][BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    int cur = 0;
    s[0][t] = 0;
    if (i < n) {
        s[0][t] = in[i];
        atomicAdd(&block_sums[blockIdx.x], in[i]);     // total of the piece
    }
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        s[!cur][t] = s[cur][t];
        if (t >= d)
            s[!cur][t] += s[cur][t - d];
        cur = !cur;
        __syncthreads();
    }
    if (i < n)
        out[i] = s[cur][t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
