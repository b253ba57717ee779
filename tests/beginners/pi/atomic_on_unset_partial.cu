// cause: atomicAdd adds to partial[blockIdx.x], which holds rubbish and was never set
// first: uninitialized atomic
// says: an atomic changes partial[0], which has no initial value: it was never set to zero
// asks: Which line sets this element of partial to its first value?
#define FULL 0xffffffff

__device__ float warp_add(float v)
{
    v += __shfl_down_sync(FULL, v, 16);
    v += __shfl_down_sync(FULL, v, 8);
    v += __shfl_down_sync(FULL, v, 4);
    v += __shfl_down_sync(FULL, v, 2);
    v += __shfl_down_sync(FULL, v, 1);
    return v;
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    if (i < n) {
        float x = i / (float)n;
        v = 4 / (1 + x * x);
    }
    v = warp_add(v);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&partial[blockIdx.x], v);
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float sums[8];
    float v = 0;
    for (int b = threadIdx.x; b < blocks; b += blockDim.x)
        v += partial[b];
    v = warp_add(v);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0)
        partial[0] = sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7];
}
