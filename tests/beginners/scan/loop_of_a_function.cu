// cause: a loop whose function stops at the very value that lets it go on
// first: barrier_divergent
// says: others stay in the loop at line 20
// asks: Which threads never reach this barrier, and what keeps them away from it?
// must stay silent: the loop's function changes what it asks for
__device__ void step(int *left, int *cells)
{
    cells[threadIdx.x] += 1;
    left[0] = left[0] > 0 ? left[0] - 1 : 0;
}

extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int cells[256];
    __shared__ int left[1];
    int t = threadIdx.x, g = blockIdx.x * 256 + t;
    cells[t] = g < n ? in[g] : 0;
    if (t == 0) {
        left[0] = 1;
        while (left[0] >= 0)
            step(left, cells);
    }
    __syncthreads();
    if (g < n) out[g] = cells[t];
    if (t == 255) block_sums[blockIdx.x] = cells[t];
}
extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
