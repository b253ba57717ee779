// expect: launch|signature - scan_blocks takes 512 elements per block and add_block_sums 256
extern "C" __constant__ int scan_blocks_items = 512;

extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    int i = blockIdx.x * 512 + 2 * t;
    int first = i < n ? in[i] : 0;
    int second = i + 1 < n ? in[i + 1] : 0;
    s[t] = first + second;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int left = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += left;
        __syncthreads();
    }
    if (i < n) {
        out[i] = s[t] - second;
    }
    if (i + 1 < n) {
        out[i + 1] = s[t];
    }
    if (t == 255) {
        block_sums[blockIdx.x] = s[255];
    }
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n) {
        out[i] += block_sums[blockIdx.x - 1];
    }
}
