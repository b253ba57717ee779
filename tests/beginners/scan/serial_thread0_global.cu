// cause: thread 0 of block 0 does everything, add_block_sums adds again
// first: wrong_value other
// says: This is out after scan_blocks, before add_block_sums begins: it holds the whole scan already. scan_blocks is
// asks: Who adds the sums of the blocks before?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        out[0] = in[0];
        for (int i = 1; i < n; i++)
            out[i] = out[i - 1] + in[i];
    }
    block_sums[blockIdx.x] = 0;
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
