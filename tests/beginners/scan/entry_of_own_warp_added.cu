// cause: Each warp adds the scanned total that includes its own values (entry w) instead of the one before (entry w - 1) (line 29).
// first: wrong_value warp_constant
// says: From warp 1 on, each element is too high by the sum of its own warp.
// asks: The sums of which warps does an element need?
#define BLOCK 256

__device__ unsigned lanes_sum(unsigned v)
{
    for (int d = 1; d < 32; d *= 2) {
        unsigned l = __shfl_up_sync(0xffffffff, v, d);
        if (threadIdx.x % 32 >= d) v += l;
    }
    return v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned sums[32];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    int w = t / 32;
    if (t < 32) sums[t] = 0;
    __syncthreads();
    unsigned v = lanes_sum(i < n ? in[i] : 0);
    if (t % 32 == 31) sums[w] = v;
    __syncthreads();
    if (w == 0) sums[t] = lanes_sum(sums[t]);
    __syncthreads();
    if (w > 0) v += sums[w];
    if (i < n) out[i] = v;
    if (t == 0) block_sums[blockIdx.x] = sums[7];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] = (unsigned)out[i] + (unsigned)block_sums[blockIdx.x - 1];
}
