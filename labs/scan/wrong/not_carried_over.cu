// expect: uninitialized - two buffers, but threads below d do not copy their value to the other one
#define BLOCK 256
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int buffer[2][BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    int from = 0;
    buffer[0][t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        if (t >= d)
            buffer[1 - from][t] = buffer[from][t] + buffer[from][t - d];
        from = 1 - from;
        __syncthreads();
    }
    if (i < n)
        out[i] = buffer[from][t];
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = buffer[from][t];
}
extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
