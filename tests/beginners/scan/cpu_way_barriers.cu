// cause: one step only: each element gets its left neighbour
// first: wrong_value steps
// says: Every element is the sum of itself and its left neighbour, no more: this is what the step with distance 1 leaves.
// asks: Is the step with distance 2 made, and is what it leaves what is stored?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    int left = t > 0 ? s[t - 1] : 0;
    __syncthreads();
    s[t] += left;
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
