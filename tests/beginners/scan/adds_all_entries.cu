// cause: add_block_sums adds up all earlier entries, but block_sums is scanned already, so from block 2 on the earlier blocks count several times
// first: wrong_value block_constant
// says: But these are scanned already: entry k is the sum of blocks 0 to k.
// asks: How many entries does a block need?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    int acc = i < n ? in[i] : 0;
    s[t] = acc;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        if (t >= d) acc += s[t - d];
        __syncthreads();
        s[t] = acc;
        __syncthreads();
    }
    if (i < n) out[i] = acc;
    if (t == BLOCK - 1) block_sums[blockIdx.x] = acc;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int carry = 0;
    // everything that comes before this block
    for (int b = 0; b < blockIdx.x; b++)
        carry += block_sums[b];
    if (i < n)
        out[i] += carry;
}
