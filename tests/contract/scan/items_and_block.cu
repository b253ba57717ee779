// page: scan.md
// says: If only one of them has an `_items` line, the other's block must have that many threads
// expect: pass
extern "C" __constant__ int scan_blocks_items = 512;
extern "C" __constant__ int add_block_sums_block = 512;
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    if (threadIdx.x == 0) {
        int sum = 0, i = blockIdx.x * 512;
        for (int end = min(n, i + 512); i < end; i++) {
            out[i] = sum += in[i];
        }
        block_sums[blockIdx.x] = sum;
    }
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    for (int i = blockIdx.x * 512 + threadIdx.x; i < n && i < (blockIdx.x + 1) * 512; i += blockDim.x) {
        if (blockIdx.x > 0) {
            out[i] += block_sums[blockIdx.x - 1];
        }
    }
}
