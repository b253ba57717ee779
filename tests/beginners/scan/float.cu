// cause: the sums are floats
// first: wrong_value float
// says: Only sums beyond 2^24 = 16777216 are wrong, and all of them by little: a float has 24 bits.
// asks: Which variable on the way is not an int?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        float left = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += left;
        __syncthreads();
    }
    if (i < n)
        out[i] = s[t];
    if (t == 255)
        block_sums[blockIdx.x] = s[t];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
