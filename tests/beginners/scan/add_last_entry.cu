// cause: every block gets the sum of everything
// first: wrong_value other_blocks
// says: the sum of blocks 0..3. It needs the sum of block 0.
// asks: Which entry of block_sums is added, and which one should it be?
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
    if (pos < n && blockIdx.x > 0)
        out[pos] += block_sums[gridDim.x - 1];
}
