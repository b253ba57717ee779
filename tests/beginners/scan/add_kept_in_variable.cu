// cause: the sum with the blocks before stays in a variable
// first: wrong_value block_constant
// says: add_block_sums, which runs later, stores to no element of out here.
// asks: When does a block learn the sum of the blocks before it?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    int g = blockIdx.x * 256 + t;
    s[t] = g < n ? in[g] : 0;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (g < n) out[g] = s[t];
    if (t == 255) block_sums[blockIdx.x] = s[t];
}
extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int g = blockIdx.x * 256 + threadIdx.x;
    int x = out[g < n ? g : 0];
    if (g < n && blockIdx.x > 0)
        x += block_sums[blockIdx.x - 1];
}
