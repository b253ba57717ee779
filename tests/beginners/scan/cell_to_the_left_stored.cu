// cause: Stores the exclusive sum (the cell to the left) where the inclusive one is asked for (line 19).
// first: wrong_value shifted
// says: Every element holds what belongs one place to its right: this is the exclusive scan, without the element itself.
// asks: Where does in[i] come in?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned s[2][BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t, p = 0;
    s[0][t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2, p ^= 1) {
        s[p ^ 1][t] = s[p][t] + (t >= d ? s[p][t - d] : 0);
        __syncthreads();
    }
    // what stands before my element
    if (i < n)
        out[i] = t > 0 ? s[p][t - 1] : 0;
    if (t == 0)
        block_sums[blockIdx.x] = s[p][BLOCK - 1];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] = (unsigned)out[i] + (unsigned)block_sums[blockIdx.x - 1];
}
