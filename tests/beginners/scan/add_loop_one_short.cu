// cause: thread 0 of a block adds in a loop, which leaves out the last element
// first: wrong_value left_out
// says: add_block_sums, which runs later, stores to no element of out here.
// asks: Which line of add_block_sums should change out[256]?
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
    if (threadIdx.x != 0 || blockIdx.x == 0) return;
    int first = blockIdx.x * blockDim.x;
    for (int k = first; k < first + blockDim.x && k < n - 1; k++)
        out[k] += block_sums[blockIdx.x - 1];
}
