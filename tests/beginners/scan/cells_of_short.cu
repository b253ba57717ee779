// cause: The cells are short, so values and sums beyond 16 bits are cut off (line 9).
// first: wrong_value upper_bits
// says: Line 9 declares v as short.
// asks: Does a value on the way pass through a type or a mask of 16 bits?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ short v[2][BLOCK];    // half the memory
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    int a = 0, b = 1;
    v[a][t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        if (t >= d)
            v[b][t] = v[a][t] + v[a][t - d];
        else
            v[b][t] = v[a][t];
        __syncthreads();
        int swap = a; a = b; b = swap;
    }
    if (i < n)
        out[i] = v[a][t];
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = v[a][t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x)
        out[i] += block_sums[blockIdx.x - 1];
}
