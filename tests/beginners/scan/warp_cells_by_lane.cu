// cause: the array has a cell for each warp, and all 32 lanes of warp 0 use it
// first: out_of_bounds cell
// says: read warp_sums[8], but warp_sums has 8 elements (0..7)
// asks: How many cells does warp_sums have, and how many threads come to line 29, each with an index of its own?
#define BLOCK 256
#define WARPS (BLOCK / 32)

__device__ unsigned warp_inclusive(unsigned v, unsigned lane)
{
    for (unsigned d = 1; d < 32; d += d) {
        unsigned left = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d)
            v += left;
    }
    return v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned warp_sums[WARPS];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int i = blockIdx.x * BLOCK + threadIdx.x;

    unsigned v = warp_inclusive(i < n ? in[i] : 0, lane);
    if (lane == 31)
        warp_sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        unsigned w = warp_sums[lane];
        w = warp_inclusive(w, lane);
        warp_sums[lane] = w;
    }
    __syncthreads();
    if (warp != 0)
        v += warp_sums[warp - 1];
    if (i < n)
        out[i] = v;
    if (threadIdx.x == 0)
        block_sums[blockIdx.x] = warp_sums[WARPS - 1];
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n) {
  int pos = threadIdx.x + blockDim.x * blockIdx.x;
  int offset = blockIdx.x ? block_sums[blockIdx.x - 1] : 0;
  if (pos < n) out[pos] += offset;
}
