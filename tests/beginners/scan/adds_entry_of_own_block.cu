// cause: add_block_sums adds the entry of its own block, which includes its own piece, instead of the entry before it
// first: wrong_value block_constant
// says: Each block from block 1 on is too high by its own total
// asks: Which entry of block_sums holds the sum of the blocks *before* block b?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int cells[BLOCK];
    int local = threadIdx.x;
    int global = blockIdx.x * blockDim.x + threadIdx.x;

    cells[local] = global < n ? in[global] : 0;
    for (int hop = 1; hop < BLOCK; hop *= 2) {
        __syncthreads();
        int left = local >= hop ? cells[local - hop] : 0;
        __syncthreads();
        cells[local] += left;
    }

    if (global < n)
        out[global] = cells[local];
    if (local == BLOCK - 1)
        block_sums[blockIdx.x] = cells[local];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int global = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x == 0 || global >= n)
        return;
    out[global] += block_sums[blockIdx.x];
}
