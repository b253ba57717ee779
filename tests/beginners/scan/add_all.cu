// cause: block 0 reads block_sums[-1]
// first: out_of_bounds negative
// says: read block_sums[4294967295], but block_sums has 1 element (0..0)
// asks: The index is below 0. Which part of its formula is negative in this thread?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int left = t >= d ? s[t - d] : 0;
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
    if (i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
