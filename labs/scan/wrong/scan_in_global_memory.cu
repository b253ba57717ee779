// expect: budget global_sectors - right, but every step goes through global memory
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
    if (i < n) {
        out[i] = in[i];
    }
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int left = t >= d && i < n ? out[i - d] : 0;
        __syncthreads();
        if (i < n) {
            out[i] += left;
        }
        __syncthreads();
    }
    if (t == 255 || i == n - 1) {
        if (i < n) {
            block_sums[blockIdx.x] = out[i];
        }
    }
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n) {
        out[i] += block_sums[blockIdx.x - 1];
    }
}
