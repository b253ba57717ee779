// cause: Cells of threads beyond n are never filled, and thread 255 takes them into the block's sum (line 12).
// first: uninitialized passed_cell
// says: block_sums[0] is computed from cells[255], which was never written: it is read at line 18 and goes into the result at line 24.
// asks: Which thread should set this cell, and what keeps it away from the line that does?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int cells[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int t = threadIdx.x;
    if (i < n)
        cells[t] = in[i];
    __syncthreads();
    for (int d = 1; d < BLOCK; d <<= 1) {
        int left = t >= d ? cells[t - d] : 0;
        __syncthreads();
        cells[t] += left;
        __syncthreads();
    }
    if (i < n)
        out[i] = cells[t];
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = cells[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) {
        if (blockIdx.x >= 1)
            out[i] += block_sums[blockIdx.x - 1];
    }
}
