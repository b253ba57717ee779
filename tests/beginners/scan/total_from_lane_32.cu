// cause: `unsigned total = __shfl_sync(ALL_LANES, v, 32);` lanes are counted from 0 to 31, and 32 is taken modulo 32: the warp's total becomes the value of lane 0
// first: wrong_value missing
// says: in[1..31] are missing in out[32], which has only in[0] and in[32]. in[1] is read once, at line 15 by thread (1,0,0) of block (0,0,0).
// asks: Line 22 first: From which lane does each lane get a value at this line, and does that lane exist?
#define BLOCK 256
#define ALL_LANES 0xffffffffu

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned warp_total[BLOCK / 32];
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    const int i = blockIdx.x * BLOCK + threadIdx.x;

    unsigned v = i < n ? (unsigned)in[i] : 0u;
    for (int d = 1; d < 32; d <<= 1) {
        const unsigned left = __shfl_up_sync(ALL_LANES, v, d);
        if (lane >= d)
            v += left;
    }
    // the last lane has the sum of the warp
    unsigned total = __shfl_sync(ALL_LANES, v, 32);
    if (lane == 0)
        warp_total[warp] = total;
    __syncthreads();
    for (int k = 0; k < warp; ++k)
        v += warp_total[k];

    if (i < n)
        out[i] = (int)v;
    if (threadIdx.x == BLOCK - 1)
        block_sums[blockIdx.x] = (int)v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    if (blockIdx.x == 0) return;
    const int id = blockIdx.x * BLOCK + threadIdx.x;
    if (id >= n) return;
    out[id] += (unsigned)block_sums[blockIdx.x - 1];
}
