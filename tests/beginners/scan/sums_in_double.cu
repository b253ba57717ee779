// cause: sums in double saturate when they are converted to int
// first: wrong_value saturated
// says: Every wrong element is 2147483647 or -2147483648, the largest or the smallest int, and the sum that belongs there lies beyond it.
// asks: Where is a sum something else than an int?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ double acc[BLOCK];       // double, so that big sums fit
    int t = threadIdx.x;
    int gid = blockIdx.x * BLOCK + t;
    acc[t] = gid < n ? in[gid] : 0;
    __syncthreads();
    for (int hop = 1; hop < BLOCK; hop <<= 1) {
        double add = 0.0;
        if (t >= hop) add = acc[t - hop];
        __syncthreads();
        acc[t] += add;
        __syncthreads();
    }
    if (gid < n) out[gid] = (int)acc[t];
    if (t == BLOCK - 1) block_sums[blockIdx.x] = (int)acc[t];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int b = blockIdx.x;
    if (b == 0) return;
    int k = b * blockDim.x + threadIdx.x;
    if (k >= n) return;
    out[k] = out[k] + block_sums[b - 1];
}
