// cause: the loop over the block ends one element too early
// first: wrong_value missing
// says: in[255] is missing in block_sums[0], which has only in[0..254].
// asks: Which thread should add it, and at which line?
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
    if (p == 0) {
        int total = 0;
        for (int k = q; k < q + 255 && k < n; k++) total += in[k];
        block_sums[blockIdx.x] = total;
    }
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
