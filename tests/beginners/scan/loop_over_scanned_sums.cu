// cause: Adds up the sums of all blocks before, although block_sums is already scanned when add_block_sums gets it (line 29).
// first: wrong_value block_constant
// says: But these are scanned already: entry k is the sum of blocks 0 to k.
// asks: How many entries does a block need?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned s[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    if (i < n) s[t] = in[i]; else s[t] = 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d += d) {
        unsigned l = 0;
        if (t >= d) l = s[t - d];
        __syncthreads();
        if (t >= d) s[t] += l;
        __syncthreads();
    }
    if (i < n) out[i] = s[t];
    if (t == 0) block_sums[blockIdx.x] = s[255];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    unsigned before = 0;
    for (int b = 0; b < blockIdx.x; b++)     // all blocks to my left
        before += block_sums[b];
    if (i < n)
        out[i] = out[i] + before;
}
