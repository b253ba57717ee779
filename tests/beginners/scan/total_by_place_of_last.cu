// cause: (n - 1) % BLOCK is the last element of the last block only
// first: wrong_value block_total
// says: Each entry of block_sums is the sum of the first 136 elements of its block.
// asks: Which thread holds the sum of the whole block, and when does it hold it?
#define BLOCK 256

extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[BLOCK];
    int t = threadIdx.x;
    int i = t + blockIdx.x * BLOCK;
    int last = (n - 1) % BLOCK;      /* index of the last element in the block */

    if (i < n)
        s[t] = in[i];
    else
        s[t] = 0;
    __syncthreads();

    int d = 1;
    do {
        int l = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += l;
        __syncthreads();
        d = 2 * d;
    } while (d < BLOCK);

    if (i < n)
        out[i] = s[t];
    if (t == last)
        block_sums[blockIdx.x] = s[last];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int b = blockIdx.x;
    if (b == 0) return;
    int k = b * blockDim.x + threadIdx.x;
    if (k >= n) return;
    out[k] = out[k] + block_sums[b - 1];
}
