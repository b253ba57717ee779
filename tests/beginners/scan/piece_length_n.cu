// cause: `int i = blockIdx.x * n + threadIdx.x;` takes n for the length of a piece; n is the length of the whole array, so only block 0 has elements and all others write nothing
// first: never_written not_reached
// says: All 256 threads of block (1,0,0) came to line 27, which stores into out, but none of them stored.
// asks: What sends the thread in the message past the store, and with which values?
#define BLOCK 256

__device__ int my_index(int n)
{
    int i = blockIdx.x * n + threadIdx.x;
    return i;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned cells[BLOCK];
    int t = threadIdx.x;
    int i = my_index(n);
    cells[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        unsigned x = cells[t];
        if (t >= d) x += cells[t - d];
        __syncthreads();
        cells[t] = x;
        __syncthreads();
    }
    if (i < n) out[i] = cells[t];
    if (t == BLOCK - 1) block_sums[blockIdx.x] = cells[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = my_index(n);
    if (blockIdx.x > 0 && i < n) out[i] = (unsigned)out[i] + (unsigned)block_sums[blockIdx.x - 1];
}
