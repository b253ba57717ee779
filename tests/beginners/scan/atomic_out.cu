// cause: atomicAdd into out, which holds rubbish
// first: uninitialized atomic
// says: an atomic changes out[0], which has no initial value: it was never set to zero
// asks: Which line sets out to its first value?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = blockIdx.x * blockDim.x; k <= i && i < n; k++)
        atomicAdd(&out[i], in[k]);
    if (threadIdx.x == 255 && i < n)
        block_sums[blockIdx.x] = out[i];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
