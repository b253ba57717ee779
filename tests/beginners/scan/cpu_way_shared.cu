// cause: s[t - 1] is itself not ready: each element needs the one before
// first: race_shared chain
// says: one thread needs what the other replaces, and nothing says which comes first
// asks: Each element needs the one before. Is that one ready when this line reads it?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    if (t > 0)
        s[t] += s[t - 1];
    __syncthreads();
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
