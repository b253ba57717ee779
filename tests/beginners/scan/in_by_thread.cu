// cause: in[t] for in[g]: every block loads the piece of block 0
// first: wrong_value same_block
// says: every block holds the same sums as block 0.
// asks: What should depend on blockIdx, and does not?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int cell[256];
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int t = threadIdx.x;
    cell[t] = t < n ? in[t] : 0;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        int x = t >= d ? cell[t - d] : 0;
        __syncthreads();
        cell[t] += x;
        __syncthreads();
    }
    if (g < n) out[g] = cell[t];
    if (t == 255) block_sums[blockIdx.x] = cell[t];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
