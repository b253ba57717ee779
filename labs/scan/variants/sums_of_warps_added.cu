// expect: pass - blocks of 512, and every thread adds the sums of the warps before its own
#define THREADS 512
#define ALL 0xffffffffu

__device__ unsigned in_warp(unsigned v)
{
    unsigned lane = threadIdx.x & 31u;
    for (unsigned d = 1; d <= 16; d <<= 1) {
        unsigned u = __shfl_up_sync(ALL, v, d);
        v += lane >= d ? u : 0u;
    }
    return v;
}

extern "C" __global__ void __launch_bounds__(THREADS) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned ends[THREADS / 32];
    const int i = blockIdx.x * THREADS + threadIdx.x;
    const unsigned warp = threadIdx.x / 32;

    unsigned v = in_warp(i < n ? (unsigned)in[i] : 0u);
    if (threadIdx.x % 32 == 31) ends[warp] = v;
    __syncthreads();

    unsigned before = 0;
    for (unsigned w = 0; w < warp; w++) before += ends[w];
    v += before;

    if (i < n) out[i] = (int)v;
    if (threadIdx.x == THREADS - 1) block_sums[blockIdx.x] = (int)v;
}

extern "C" __global__ void __launch_bounds__(THREADS) add_block_sums(int *out, const int *block_sums, int n)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= THREADS && i < n) out[i] += block_sums[i / THREADS - 1];
}
