// cause: the sums are kept in double, and the conversion to int in lines 23 and 25 is limited to the largest and the smallest int instead of wrapping modulo 2^32
// first: wrong_value saturated
// says: a float or a double that is converted to int stops at the limit.
// asks: Where is a sum something else than an int?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    // double, so that big sums do not overflow
    __shared__ double acc[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;

    acc[t] = i < n ? in[i] : 0;
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
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
