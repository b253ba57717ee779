// cause: `unsigned w = lane < 8 ? warp_sums[lane] : 0;` still has the 8 warps of a block of 256; with 512 threads there are 16, and the sums of warps 8 to 15 are left out
// first: wrong_value missing
// says: in[256..287] are missing in out[288], which has only in[0..255] and in[288]. in[256] is read once, at line 26 by thread (256,0,0) of block (0,0,0).
// asks: Which thread should add them, and at which line?
#define BLOCK 512

__device__ unsigned warp_scan(unsigned v)
{
    int lane = threadIdx.x % 32;
    for (int d = 1; d < 32; d *= 2) {
        unsigned left = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d)
            v += left;
    }
    return v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned warp_sums[32];
    int t = threadIdx.x;
    int lane = t % 32;
    int warp = t / 32;
    int i = blockIdx.x * BLOCK + t;

    unsigned v = (i < n) ? in[i] : 0;
    v = warp_scan(v);
    if (lane == 31) {
        warp_sums[warp] = v;
    }
    __syncthreads();
    if (warp == 0) {
        unsigned w = lane < 8 ? warp_sums[lane] : 0;
        w = warp_scan(w);
        warp_sums[lane] = w;
    }
    __syncthreads();
    if (warp > 0) {
        v += warp_sums[warp - 1];
    }
    if (i < n) {
        out[i] = v;
    }
    if (t == BLOCK - 1) {
        block_sums[blockIdx.x] = v;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] = (unsigned)out[i] + (unsigned)block_sums[blockIdx.x - 1];
}
