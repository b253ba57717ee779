// cause: add_block_sums has no guard i < n, so threads of the last block change elements beyond the end of out (line 32).
// first: out_of_bounds guarded
// says: read out[257], but out has 257 elements (0..256)
// asks: A condition precedes this access, and it let this thread through. Does it ask about the very index that is used, and about the length of out?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned m[BLOCK];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * BLOCK + t;
    m[t] = i < (unsigned)n ? in[i] : 0;
    __syncthreads();
    for (unsigned d = 1; d < BLOCK; d *= 2) {
        unsigned l = 0;
        if (t >= d)
            l = m[t - d];
        __syncthreads();
        m[t] += l;
        __syncthreads();
    }
    if (i < (unsigned)n)
        out[i] = m[t];
    if (t + 1 == BLOCK)
        block_sums[blockIdx.x] = m[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    if (blockIdx.x > 0)
        out[i] = (unsigned)out[i] + (unsigned)block_sums[blockIdx.x - 1];
}
