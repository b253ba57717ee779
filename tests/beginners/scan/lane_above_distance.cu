// cause: lane > d must be lane >= d: lane d of each warp leaves out the value of lane 0
// first: wrong_value missing
// says: Line 12 asks lane > d, so where lane is d nothing is added
// asks: Which thread should add it, and at which line?
#define BLOCK 256

__device__ int warp_scan(int v)
{
    int lane = threadIdx.x % 32;
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffff, v, d);
        if (lane > d)
            v += other;
    }
    return v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int sums[8];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    int v = warp_scan(i < n ? in[i] : 0);
    if (t % 32 == 31)
        sums[t / 32] = v;
    __syncthreads();
    for (int w = 0; w < t / 32; w++)
        v += sums[w];
    if (i < n)
        out[i] = v;
    if (t == BLOCK - 1)
        block_sums[blockIdx.x] = v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
