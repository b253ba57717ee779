// cause: The condition t > d instead of t >= d leaves out the addition of cell 0 for thread d (line 17).
// first: wrong_value missing
// says: Line 17 asks t > d, so where t is d nothing is added: the cell with the index t - d = 0 is left out.
// asks: Which thread should add it, and at which line?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int a[BLOCK];
    int t = threadIdx.x;
    int i = t + blockIdx.x * BLOCK;
    int v = 0;
    if (i < n) v = in[i];
    a[t] = v;
    __syncthreads();
    for (int d = 1; d < BLOCK; d = 2 * d) {
        if (t > d)
            v += a[t - d];
        __syncthreads();
        a[t] = v;
        __syncthreads();
    }
    if (i < n) out[i] = v;
    if (t == BLOCK - 1) block_sums[blockIdx.x] = v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = threadIdx.x + blockIdx.x * BLOCK;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
