// expect: wrong_value warp_constant - each warp is scanned, but never adds the sum of the warps before it
#define BLOCK 256
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t, lane = t % 32;
    int v = i < n ? in[i] : 0;
    for (int d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d)
            v += left;
    }
    if (i < n)
        out[i] = v;
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = v;
}
extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
