// cause: the sums are stored into in
// first: read_only_write
// says: write in[1], but in is an input of this kernel
// asks: This array is an input. Which array should receive the result?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    int *p = (int *)in;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n)
        p[i] += p[i - 1];
    if (i < n)
        out[i] = p[i];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
