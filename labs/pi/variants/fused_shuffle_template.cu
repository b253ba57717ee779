// expect: pass - second plan: 1024 elements in a block, shuffles by all lanes, one barrier
#define FULL 0xffffffffu
constexpr int PER_BLOCK = 1024;
extern "C" __constant__ int pi_sum_items = PER_BLOCK;

template <int WARPS>
__device__ float block_total(float v)
{
    __shared__ float sums[WARPS];
    #pragma unroll
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(FULL, v, o);
    if ((threadIdx.x & 31) == 0) sums[threadIdx.x >> 5] = v;
    __syncthreads();
    float total = 0.f;
    if (threadIdx.x == 0) {
        for (int w = 0; w < WARPS; ++w) total += sums[w];
    }
    return total;   // only thread 0 has it
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    float v = 0.f;
    const int first = blockIdx.x * PER_BLOCK;
    for (int k = first + threadIdx.x; k < min(first + PER_BLOCK, n); k += blockDim.x) {
        float x = __fdiv_rn((float)k, (float)n);
        v += 4.f / fmaf(x, x, 1.f);
    }
    v = block_total<8>(v);
    if (threadIdx.x == 0) partial[blockIdx.x] = v;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    float v = 0.f;
    for (int b = threadIdx.x; b < blocks; b += blockDim.x) v += partial[b];
    v = block_total<8>(v);
    if (threadIdx.x == 0) *partial = v;
}
