// cause: the thread's own value is read once before the loop and never updated, so every step starts again from the original element
// first: wrong_value missing
// says: in[0] is missing in out[1], which has only in[1].
// asks: Which thread should add it, and at which line?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[BLOCK];
    int t = threadIdx.x;
    int gid = blockIdx.x * BLOCK + t;
    int mine = gid < n ? in[gid] : 0;
    s[t] = mine;
    __syncthreads();
    for (int step = 1; step < BLOCK; step *= 2) {
        int left = 0;
        if (t >= step) left = s[t - step];
        __syncthreads();
        s[t] = mine + left;
        __syncthreads();
    }
    if (gid < n) out[gid] = s[t];
    if (t == BLOCK - 1) block_sums[blockIdx.x] = s[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && gid < n) {
        out[gid] += block_sums[blockIdx.x - 1];
    }
}
