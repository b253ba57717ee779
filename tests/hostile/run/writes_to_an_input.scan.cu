// expect: read_only_write - changes what it is compared with
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = ((int *)in)[i] = 0;
    if (threadIdx.x == 0)
        block_sums[blockIdx.x] = 0;
}
extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
}
