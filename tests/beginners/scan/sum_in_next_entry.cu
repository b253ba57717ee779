// cause: the total goes into the entry of the next block
// first: out_of_bounds
// says: write block_sums[1], but block_sums has 1 element (0..0)
// asks: How many entries does block_sums have, and which one does the message name?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int buf[256];
    int me = threadIdx.x;
    int pos = blockIdx.x * blockDim.x + me;
    buf[me] = pos < n ? in[pos] : 0;
    __syncthreads();
    for (int off = 1; off < 256; off <<= 1) {
        int add = me >= off ? buf[me - off] : 0;
        __syncthreads();
        buf[me] += add;
        __syncthreads();
    }
    if (pos < n) out[pos] = buf[me];
    __syncthreads();
    if (me == 0) block_sums[blockIdx.x + 1] = buf[255];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
