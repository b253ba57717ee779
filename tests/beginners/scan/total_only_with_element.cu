// cause: `if (t == BLOCK - 1 && i < n) block_sums[blockIdx.x] = cells[t];` thread 255 of a ragged last block has no element, so the sum of that block is never stored
// first: never_written not_reached
// says: All 256 threads of block (1,0,0) came to line 22, which stores into block_sums, but none of them stored.
// asks: What sends the thread in the message past the store, and with which values?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned cells[BLOCK];
    const int t = threadIdx.x;
    const int i = blockIdx.x * BLOCK + t;
    cells[t] = i < n ? (unsigned)in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        unsigned sum = cells[t];
        if (t >= d) sum += cells[t - d];
        __syncthreads();
        cells[t] = sum;
        __syncthreads();
    }
    if (i < n) out[i] = cells[t];
    if (t == BLOCK - 1 && i < n) block_sums[blockIdx.x] = cells[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    if (blockIdx.x == 0) return;
    const int id = blockIdx.x * BLOCK + threadIdx.x;
    if (id >= n) return;
    out[id] += (unsigned)block_sums[blockIdx.x - 1];
}
