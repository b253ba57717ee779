// cause: Block 0 is not left out and reads block_sums[-1] (line 31).
// first: out_of_bounds negative
// says: read block_sums[-1], but block_sums has 1 element (0..0)
// asks: The index is below 0. Which part of its formula is negative in this thread?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int tile[BLOCK];
    int col = threadIdx.x;
    int idx = blockIdx.x * blockDim.x + col;
    tile[col] = idx < n ? in[idx] : 0;
    __syncthreads();
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        int value = tile[col];
        if (col >= stride)
            value += tile[col - stride];
        __syncthreads();
        tile[col] = value;
        __syncthreads();
    }
    if (idx < n)
        out[idx] = tile[col];
    if (col == blockDim.x - 1)
        block_sums[blockIdx.x] = tile[col];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int offset = block_sums[(int)blockIdx.x - 1];
    if (idx < n)
        out[idx] += offset;
}
