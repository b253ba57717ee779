// cause: half of the threads of a block add nothing
// first: wrong_value left_out
// says: add_block_sums, which runs later, stores to elements of out at line 26, but to none of the wrong ones.
// asks: What decides whether line 26 stores to out[384]?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int line[256];
    int p = threadIdx.x;
    int q = blockIdx.x * blockDim.x + p;
    line[p] = q < n ? in[q] : 0;
    __syncthreads();
    for (int off = 1; off < 256; off <<= 1) {
        int add = p >= off ? line[p - off] : 0;
        __syncthreads();
        line[p] += add;
        __syncthreads();
    }
    if (q < n) out[q] = line[p];
    if (p == 255) block_sums[blockIdx.x] = line[255];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < blockDim.x / 2 && q < n && blockIdx.x > 0)
        out[q] += block_sums[blockIdx.x - 1];
}
