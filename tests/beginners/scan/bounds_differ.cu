// cause: `__launch_bounds__(512) scan_blocks` asks for blocks of 512, but add_block_sums still has 256: the two kernels cover different numbers of elements per block, and the launch is refused
// first: launch items
// says: add_block_sums covers 256 elements per block, scan_blocks 512: the two must be equal, or a block adds another block's sums
// asks: Which lines of your file say so?
#define MAX_WARPS 16

__device__ unsigned inclusive(unsigned v, int lane)
{
    #pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        unsigned u = __shfl_up_sync(0xffffffffu, v, d);
        v += lane >= d ? u : 0u;
    }
    return v;
}

extern "C" __global__ void __launch_bounds__(512) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned of_warp[MAX_WARPS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = inclusive(i < n ? in[i] : 0, lane);
    if (lane == 31)
        of_warp[warp] = v;
    __syncthreads();
    for (int k = 0; k < warp; k++)
        v += of_warp[k];
    if (i < n)
        out[i] = v;
    if (threadIdx.x == blockDim.x - 1)
        block_sums[blockIdx.x] = v;
}

extern "C" __global__ void __launch_bounds__(256) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] = (unsigned)out[i] + (unsigned)block_sums[blockIdx.x - 1];
}
