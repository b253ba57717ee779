// cause: the full mask, but only lanes >= d call the shuffle
// first: sync_mask
// says: the mask 0xffffffff names lane 0, which waits at line 21
// asks: Which lanes does the mask name, and which of them arrive?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned sums[8];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int idx = blockIdx.x * BLOCK + threadIdx.x;
    unsigned value = 0;
    if (idx < n) value = in[idx];

    for (int d = 1; d < 32; d *= 2) {
        if (lane >= d)
            value += __shfl_up_sync(0xffffffff, value, d);
    }

    if (lane == 31) sums[warp] = value;
    __syncthreads();
    unsigned base = 0;
    for (int w = 0; w < 8; w++)
        if (w < warp) base += sums[w];
    value += base;
    if (idx < n) out[idx] = value;
    if (warp == 7 && lane == 31) block_sums[blockIdx.x] = value;
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int b = blockIdx.x;
    if (b == 0) return;
    int k = b * blockDim.x + threadIdx.x;
    if (k >= n) return;
    out[k] = out[k] + block_sums[b - 1];
}
