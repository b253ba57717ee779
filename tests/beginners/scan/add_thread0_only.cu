// cause: only thread 0 of a block adds the sum of the blocks before
// first: wrong_value left_out
// says: add_block_sums, which runs later, stores to elements of out at line 27, but to none of the wrong ones.
// asks: What decides whether line 27 stores to out[257]?
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
    if (threadIdx.x == 0 && blockIdx.x > 0 && pos < n)
        out[pos] += block_sums[blockIdx.x - 1];
}
