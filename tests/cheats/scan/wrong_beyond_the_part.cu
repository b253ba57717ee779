// expect: at most 56 - too slow for the whole largest test, and wrong in the part that is not run
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int start = blockIdx.x * blockDim.x;
    if (i < n) {
        int sum = 0;
        for (int k = 0; k <= i; k++)
            if (k >= start) sum += in[k];
        out[i] = sum;
        if (threadIdx.x == blockDim.x - 1 || i == n - 1)
            block_sums[blockIdx.x] = sum;
    }
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n && i < 90000)
        out[i] += block_sums[blockIdx.x - 1];
}
