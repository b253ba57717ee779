// cause: __shfl_down_sync brings the value of a lane to the right, but the sum needs the lanes to the left (line 11).
// first: wrong_value exchanged
// says: The __shfl_down_sync in line 11 brings values from lanes to the right, with higher numbers.
// asks: What becomes of it until out[2] is stored?
#define BLOCK 256

__device__ int scanWarp(int x)
{
    int lane = threadIdx.x & 31;
    for (int d = 1; d < 32; d <<= 1) {
        int y = __shfl_down_sync(0xffffffff, x, d);
        if (lane >= d)
            x += y;
    }
    return x;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int totals[8];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int x = scanWarp(i < n ? in[i] : 0);
    if ((threadIdx.x & 31) == 31)
        totals[threadIdx.x >> 5] = x;
    __syncthreads();
    for (int w = 0; w < threadIdx.x >> 5; w++)
        x += totals[w];
    if (i < n)
        out[i] = x;
    if (threadIdx.x == BLOCK - 1)
        block_sums[blockIdx.x] = x;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
}
