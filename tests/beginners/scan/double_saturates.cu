// cause: The sums are kept in double: exact, but a sum beyond 2^31 does not wrap when it is turned into an int, it sticks at the largest int.
// first: wrong_value saturated
// says: Every wrong element is 2147483647 or -2147483648, the largest or the smallest int, and the sum that belongs there lies beyond it.
// asks: Where is a sum something else than an int?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    // double: 53 bits, so that nothing is lost
    __shared__ double acc[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;

    acc[t] = i < n ? (double)in[i] : 0.0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        double left = t >= d ? acc[t - d] : 0.0;
        __syncthreads();
        acc[t] += left;
        __syncthreads();
    }
    if (i < n)
        out[i] = (int)acc[t];
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = (int)acc[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
