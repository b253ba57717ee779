// page: scan.md
// says: Only a whole block may return together
// expect: pass
extern "C" __constant__ int scan_blocks_block = 64;
extern "C" __constant__ int add_block_sums_block = 64;
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned cells[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (((size_t)in | (size_t)out | (size_t)block_sums) % 256 != 0) {
        __trap();
    }
    cells[t] = i < n ? in[i] : 0;
    for (int d = 1; d < 64; d *= 2) {
        __syncthreads();
        unsigned left = t >= d ? cells[t - d] : 0;
        __syncthreads();
        cells[t] += left;
    }
    if (i < n) {
        out[i] = cells[t];
    }
    if (t == 63) {
        block_sums[blockIdx.x] = cells[t];
    }
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    __shared__ unsigned before;
    int i = blockIdx.x * 64 + threadIdx.x;
    if (blockIdx.x == 0) {
        return;
    }
    if (threadIdx.x == 0) {
        before = block_sums[blockIdx.x - 1];
    }
    __syncthreads();
    if (i < n) {
        out[i] += before;
    }
}
