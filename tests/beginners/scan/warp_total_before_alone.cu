// cause: each warp adds the total of the warp directly before it only
// first: wrong_value warp_constant
// says: Each warp got the sum of the one warp before it, not of all warps before it.
// asks: How does the sum of warp 0 come to warp 2?
#define BLOCK 256

// inclusive scan in a warp
__device__ int wscan(int v)
{
    int lane = threadIdx.x % 32;
    for (int d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d) v = v + left;
    }
    return v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int warp_sums[BLOCK / 32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int warp = threadIdx.x / 32;
    int v = (i < n) ? in[i] : 0;
    v = wscan(v);
    if (threadIdx.x % 32 == 31)
        warp_sums[warp] = v;
    __syncthreads();
    if (warp > 0)
        v += warp_sums[warp - 1];
    if (i < n)
        out[i] = v;
    if (threadIdx.x == blockDim.x - 1)
        block_sums[blockIdx.x] = v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    // block_sums is scanned by now: block_sums[k] is the sum of blocks 0..k. Block 0 is right already.
    // --- your code ---
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += block_sums[blockIdx.x - 1];
    // --- end ---
}
