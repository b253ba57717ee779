// cause: `__shared__ float of_warp[8];` is big enough for 256 threads, but pi_finish asks for 512: warps 8..15 store beyond it
// first: out_of_bounds shared
// says: write of_warp[8], but of_warp has 8 elements (0..7)
// asks: How many elements does of_warp have, and from which parts is this index made?
__device__ float total_of_block(float v)
{
    __shared__ float of_warp[8];
    unsigned lane = threadIdx.x % 32;
    unsigned warp = threadIdx.x / 32;
    for (int d = 16; d >= 1; d /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, d);
    if (lane == 0)
        of_warp[warp] = v;
    __syncthreads();
    v = 0.0f;
    if (threadIdx.x == 0)
        for (unsigned w = 0; w < blockDim.x / 32; ++w)
            v += of_warp[w];
    return v;
}

extern "C" __global__ void __launch_bounds__(256) pi_sum(float *partial, int n)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    float x = (float)k / (float)n;
    float v = total_of_block(k < n ? 4.0f / (1.0f + x * x) : 0.0f);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = v;
}

// only one block here, so give it more threads
extern "C" __global__ void __launch_bounds__(512) pi_finish(float *partial, int blocks)
{
    float v = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        v += partial[k];
    v = total_of_block(v);
    if (threadIdx.x == 0)
        partial[0] = v;
}
