// cause: -= for +=
// first: wrong_value scaled
// says: out[1] is made of -1 x in[0] and in[1], and should be made of in[0..1].
// asks: Which operation gives that, and which one should it be?
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
        s[t] -= v;
        __syncthreads();
    }
    if (g < n) out[g] = s[t];
    if (t == 255) block_sums[blockIdx.x] = s[t];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
