// cause: `block_sums[blockIdx.x] = s[BLOCK - 1];` forgets the padding: cell 255 belongs to element 248, so the sum of a block lacks its last 7 elements
// first: wrong_value block_total
// says: Each entry of block_sums is the sum of the first 249 elements of its block.
// asks: Which thread holds the sum of the whole block, and when does it hold it?
#define BLOCK 256
// one unused cell after every 32, against bank conflicts
#define PAD(k) ((k) + (k) / 32)

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned s[BLOCK + BLOCK / 32];
    const int t = threadIdx.x;
    const int i = blockIdx.x * BLOCK + t;
    s[PAD(t)] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        const int k = 2 * d * (t + 1) - 1;
        if (k < BLOCK)
            s[PAD(k)] += s[PAD(k - d)];
        __syncthreads();
    }
    for (int d = BLOCK / 4; d > 0; d /= 2) {
        const int k = 2 * d * (t + 1) - 1;
        if (k + d < BLOCK)
            s[PAD(k + d)] += s[PAD(k)];
        __syncthreads();
    }
    if (i < n)
        out[i] = s[PAD(t)];
    if (t == 0)
        block_sums[blockIdx.x] = s[BLOCK - 1];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    if (blockIdx.x == 0) return;
    const int id = blockIdx.x * BLOCK + threadIdx.x;
    if (id >= n) return;
    out[id] += (unsigned)block_sums[blockIdx.x - 1];
}
