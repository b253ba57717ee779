// cause: add_block_sums changes block 1 alone
// first: wrong_value some_blocks
// says: add_block_sums, which runs later, stores to elements of out at line 27, but to none of the wrong ones.
// asks: What is different about block 2?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int buf[256];
    int me = threadIdx.x;
    int pos = blockIdx.x * blockDim.x + me;
    buf[me] = pos < n ? in[pos] : 0;
    __syncthreads();
    for (int off = 1; off < 256; off <<= 1) {
        int add = 0;
        if (me >= off) add = buf[me - off];
        __syncthreads();
        buf[me] += add;
        __syncthreads();
    }
    if (pos < n) out[pos] = buf[me];
    if (me == 255) block_sums[blockIdx.x] = buf[255];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int pos = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x == 1 && pos < n)
        out[pos] += block_sums[0];
}
