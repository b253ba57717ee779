// cause: no barrier in the loop of steps
// first: race_shared step
// says: no barrier separates the reads and the writes of the steps
// asks: In one step, which thread writes the cell that this thread reads?
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2)
        if (t >= d)
            s[t] += s[t - d];
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
