// expect: at most 40 - scan_blocks only copies; block 0 of add_block_sums scans the whole array
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i];
    }
    if (threadIdx.x == 0) {
        block_sums[blockIdx.x] = 0;
    }
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (int i = 1; i < n; i++) {
            out[i] += out[i - 1];
        }
    }
}
