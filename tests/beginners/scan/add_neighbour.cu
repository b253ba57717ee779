// cause: out[i] = in[i] + in[i - 1]
// first: wrong_value steps
// says: Every element is the sum of itself and its left neighbour, no more: this is what the step with distance 1 leaves.
// asks: Is the step with distance 2 made, and is what it leaves what is stored?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + (i > 0 ? in[i - 1] : 0);
    if (threadIdx.x == 255)
        block_sums[blockIdx.x] = i < n ? out[i] : 0;
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
