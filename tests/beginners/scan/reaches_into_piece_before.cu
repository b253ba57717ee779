// cause: i >= d lets the steps reach into the piece of the block before
// first: race_global step_blocks
// says: out[255] written by thread (255,0,0) of block (0,0,0) (line 21) and read by thread (0,0,0) of block (1,0,0) (line 18)
// asks: Should a block use what another one changes in the same launch?
#define BLOCK 256

extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
    __syncthreads();

    for (int d = 1; d < BLOCK; d *= 2)
    {
        int add = 0;
        if (i < n && i >= d)
            add = out[i - d];
        __syncthreads();
        if (i < n)
            out[i] += add;
        __syncthreads();
    }

    int last = min(n, (int)(blockIdx.x + 1) * BLOCK) - 1;
    if (i == last)
        block_sums[blockIdx.x] = out[i];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int b = blockIdx.x;
    if (b == 0) return;
    int k = b * blockDim.x + threadIdx.x;
    if (k >= n) return;
    out[k] = out[k] + block_sums[b - 1];
}
