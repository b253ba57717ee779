// cause: d << 1 computes a value and drops it, d stays 1 and the loop never ends
// first: fuel no_effect
// says: `d << 1` changes no variable, so d stays as it is
// asks: Which variable does this loop count with, and where does its value change?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    int x = 0;
    if (i < n)
        x = in[i];
    s[t] = x;
    __syncthreads();

    for (int d = 1; d < BLOCK; d << 1) {
        if (t >= d)
            x += s[t - d];
        __syncthreads();
        s[t] = x;
        __syncthreads();
    }

    if (i < n)
        out[i] = x;
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = x;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
