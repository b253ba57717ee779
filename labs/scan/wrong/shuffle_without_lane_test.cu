// expect: wrong_value - a lane whose left neighbour does not exist gets its own value back and adds it
__device__ int warp_scan(int value)
{
    for (int d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(0xffffffff, value, d);
        value += left;
    }
    return value;
}

extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int sums[8];
    int i = blockIdx.x * 256 + threadIdx.x;
    int warp = threadIdx.x / 32;
    int value = warp_scan(i < n ? in[i] : 0);
    if (threadIdx.x % 32 == 31)
        sums[warp] = value;
    __syncthreads();
    for (int k = 0; k < warp; k++)
        value += sums[k];
    if (i < n)
        out[i] = value;
    if (threadIdx.x == 255)
        block_sums[blockIdx.x] = value;
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n) {
        out[i] += block_sums[blockIdx.x - 1];
    }
}
