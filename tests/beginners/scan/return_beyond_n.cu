// cause: Threads with i >= n return before the barriers that the others of their block still go to (line 14).
// first: early_exit
// says: 255 threads of the block left at line 13 (the first is (1,0,0)); only one goes on to the barrier at line 16 without them
// asks: Which threads returned before the barrier? What were they needed for?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    s[t] = 0;
    if (i >= n)
        return;
    s[t] = in[i];
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        int x = 0;
        if (t >= d)
            x = s[t - d];
        __syncthreads();
        s[t] += x;
        __syncthreads();
    }
    out[i] = s[t];
    if (t == BLOCK - 1 || i == n - 1)      // last one of the block
        block_sums[blockIdx.x] = s[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n) return;
    if (blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
