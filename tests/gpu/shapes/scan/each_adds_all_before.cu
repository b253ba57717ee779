// each thread adds all elements of its block up to its own
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    int t = threadIdx.x, first = blockIdx.x * BLOCK, i = first + t;
    unsigned sum = 0;
    for (int k = first; k <= i && k < n; k++)
        sum += in[k];
    if (i < n)
        out[i] = sum;
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] = (int)((unsigned)out[i] + (unsigned)block_sums[blockIdx.x - 1]);
}
