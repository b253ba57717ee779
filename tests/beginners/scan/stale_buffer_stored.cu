// cause: After the last step the two indices have been exchanged once more, but the result is taken from the buffer that holds the step before.
// first: wrong_value steps
// says: Every element is the sum of 128 elements at most: this is what the step with distance 64 leaves.
// asks: Is the step with distance 128 made, and is what it leaves what is stored?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int ping[BLOCK], pong[BLOCK];
    int tx = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tx;
    int *from = ping;
    int *to = pong;

    from[tx] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = 1; step < BLOCK; step = step * 2) {
        int x = from[tx];
        if (tx >= step) x += from[tx - step];
        to[tx] = x;
        __syncthreads();
        int *swap = from;
        from = to;
        to = swap;
    }
    int result = to[tx];
    if (i < n) out[i] = result;
    if (tx == BLOCK - 1) block_sums[blockIdx.x] = result;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0) out[i] += block_sums[blockIdx.x - 1];
}
