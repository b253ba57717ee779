// cause: out[i] = out[i - 1] + in[i] over the whole array
// first: race_warp chain
// says: one thread needs what the other replaces, and nothing says which comes first
// asks: Each element needs the one before. Is that one ready when this line reads it?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i];
        if (i > 0)
            out[i] = out[i - 1] + in[i];
    }
    if (threadIdx.x == 0)
        block_sums[blockIdx.x] = 0;
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
