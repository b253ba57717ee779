// cause: the shuffle is under if (lane >= d) with the full mask, so lanes that the mask names do not take part
// first: sync_mask
// says: the mask 0xffffffff names lane 0, which waits at line 22
// asks: Which lanes does the mask name, and which of them arrive?
#define BLOCK 256
#define ALL 0xffffffff

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int sums[BLOCK / 32];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int x = i < n ? in[i] : 0;

    for (int d = 1; d < 32; d *= 2) {
        if (lane >= d)
            x += __shfl_up_sync(ALL, x, d);
    }
    if (lane == 31)
        sums[warp] = x;
    __syncthreads();

    for (int w = 0; w < warp; w++)
        x += sums[w];

    if (i < n)
        out[i] = x;
    if (threadIdx.x == BLOCK - 1)
        block_sums[blockIdx.x] = x;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += block_sums[blockIdx.x - 1];
}
