// cause: the thread in the middle stores the total of the block
// first: wrong_value block_total
// says: Each entry of block_sums is the sum of the first 128 elements of its block.
// asks: Which thread holds the sum of the whole block, and when does it hold it?
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
    if (me == 127) block_sums[blockIdx.x] = buf[me];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
