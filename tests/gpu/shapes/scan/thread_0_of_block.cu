// thread 0 scans the block's piece in global memory
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    if (threadIdx.x == 0) {
        unsigned sum = 0;
        for (int i = blockIdx.x * BLOCK; i < n && i < (blockIdx.x + 1) * BLOCK; i++) {
            sum += in[i];
            out[i] = sum;
        }
        block_sums[blockIdx.x] = sum;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] = (int)((unsigned)out[i] + (unsigned)block_sums[blockIdx.x - 1]);
}
