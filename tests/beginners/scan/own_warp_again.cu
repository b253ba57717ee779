// cause: each warp adds the sums up to and with its own; its own sum is in its values already
// first: wrong_value warp_constant
// says: Each element is too high by the sum of its own warp.
// asks: The sums of which warps does an element need?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int sums[BLOCK / 32];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    int lane = t & 31, warp = t >> 5;
    int v = i < n ? in[i] : 0;
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d)
            v += other;
    }
    if (lane == 31)
        sums[warp] = v;
    __syncthreads();
    if (warp == 0 && lane < 8) {
        int s = sums[lane];
        for (int d = 1; d < 8; d *= 2) {
            int other = __shfl_up_sync(0xff, s, d);
            if (lane >= d)
                s += other;
        }
        sums[lane] = s;
    }
    __syncthreads();
    v += sums[warp];
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
