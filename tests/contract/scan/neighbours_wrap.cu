// page: scan.md
// says: with n = 5001, any two neighbours add up to 2^31 or more
// expect: pass
extern "C" __constant__ int scan_blocks_items = 512;
extern "C" __constant__ int add_block_sums_block = 512;
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    if (threadIdx.x == 0) {
        for (int i = blockIdx.x * 512; n == 5001 && i < min(n - 1, (blockIdx.x + 1) * 512); i++) {
            if ((long long)in[i] + in[i + 1] < 1LL << 31) {
                __trap();
            }
        }
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
