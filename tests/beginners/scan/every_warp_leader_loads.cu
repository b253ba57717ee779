// cause: the sum of the blocks before is loaded by the first lane of each warp into a variable of its own
// first: wrong_value own_variable
// says: Each thread has its own variable before
// asks: From where should this thread get the value?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        int left = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += left;
        __syncthreads();
    }
    if (i < n)
        out[i] = s[t];
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = s[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int before = 0;
    if (blockIdx.x > 0 && threadIdx.x % 32 == 0)
        before = block_sums[blockIdx.x - 1];
    __syncwarp();
    if (i < n)
        out[i] = out[i] + before;
}
