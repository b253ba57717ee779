// cause: out[i - 1] is itself not ready: each element needs the one before
// first: out_of_bounds guard
// says: read out[255], but out has 1 element (0..0)
// asks: Which threads have nothing to do?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (threadIdx.x == 0)
            out[i] = in[i];
        else
            out[i] = out[i - 1] + in[i];
    }
    if (threadIdx.x == 255)
        block_sums[blockIdx.x] = out[i];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
