// cause: `__shared__ short cells[BLOCK];` keeps only 16 bits of each sum, so sums beyond 32767 are cut
// first: wrong_value upper_bits
// says: Every wrong element is off by a multiple of 65536 = 2^16: the lower 16 bits are right.
// asks: Does a value on the way pass through a type or a mask of 16 bits?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ short cells[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;

    cells[t] = (i < n) ? in[i] : 0;
    __syncthreads();

    for (int d = 1; d < BLOCK; d = 2 * d)
    {
        int left = 0;
        if (t >= d)
            left = cells[t - d];
        __syncthreads();
        cells[t] += left;
        __syncthreads();
    }

    if (i < n)
        out[i] = cells[t];
    if (t == 0)
        block_sums[blockIdx.x] = cells[BLOCK - 1];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] = (unsigned)out[i] + (unsigned)block_sums[blockIdx.x - 1];
}
