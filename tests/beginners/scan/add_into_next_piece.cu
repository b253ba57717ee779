// cause: each block stores into the piece of the next one
// first: race_global blocks
// says: nothing orders the two blocks
// asks: Which elements of out does a block change here, and which ones does it read?
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
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 256 < n)
        out[i + 256] = out[i] + block_sums[blockIdx.x];
}
