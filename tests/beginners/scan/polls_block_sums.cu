// cause: blocks wait for the sums of others, which nobody has set to zero
// first: barrier_divergent waits
// says: That loop waits: it ends only when another thread changes what it reads.
// asks: Which value in memory does the loop in line 22 wait for, and which thread of which block stores it?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int line[256];
    __shared__ int before;
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
    if (p == 0) {
        before = 0;
        if (blockIdx.x > 0) {
            while (block_sums[blockIdx.x - 1] == 0) ;
            before = block_sums[blockIdx.x - 1];
        }
        block_sums[blockIdx.x] = before + line[255];
    }
    __syncthreads();
    if (q < n) out[q] = line[p] + before;
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
}
