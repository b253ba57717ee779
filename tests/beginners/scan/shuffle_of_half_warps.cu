// cause: with a width of 16, lanes without one d below in their half get their own value back, and add it
// first: wrong_value own_lane
// says: out[0] is 32 x in[0], where it should be in[0].
// asks: Line 12 first: From which lane does each lane get a value at this line, and does that lane exist?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int totals[8];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int x = i < n ? in[i] : 0;
    for (int d = 1; d < 32; d *= 2)
        x += __shfl_up_sync(0xffffffff, x, d, 16);
    if (t % 32 == 31)
        totals[t / 32] = x;
    __syncthreads();
    for (int w = 0; w < t / 32; w++)
        x += totals[w];
    if (i < n)
        out[i] = x;
    if (t == 255)
        block_sums[blockIdx.x] = x;
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
