// cause: `if (i >= d && i < n) left = out[i - d];` compares the global index with d, so the first threads of a block read the piece of the block before, which is being changed at the same time
// first: race_global step_blocks
// says: nothing makes one block wait for the other
// asks: Should a block use what another one changes in the same launch?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        unsigned left = 0;
        if (i >= d && i < n)
            left = out[i - d];
        __syncthreads();
        if (i < n)
            out[i] = out[i] + left;
        __syncthreads();
    }
    if (i < n && (threadIdx.x == BLOCK - 1 || i == n - 1))
        block_sums[blockIdx.x] = out[i];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] = (unsigned)out[i] + (unsigned)block_sums[blockIdx.x - 1];
}
