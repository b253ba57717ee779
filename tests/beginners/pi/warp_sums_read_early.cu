// cause: thread 0 reads the sums of the warps without a barrier after they were stored
// first: race_shared
// says: no barrier between them
// asks: What must every thread of the block have finished before any of them goes on to line 30?
__device__ float warp_sum(float v)
{
    v += __shfl_down_sync(0xffffffff, v, 16);
    v += __shfl_down_sync(0xffffffff, v, 8);
    v += __shfl_down_sync(0xffffffff, v, 4);
    v += __shfl_down_sync(0xffffffff, v, 2);
    v += __shfl_down_sync(0xffffffff, v, 1);
    return v;
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float sums[8];
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0.0f;
    if (id < n) {
        float x = (float)id / n;
        v = 4.0f / (1.0f + x * x);
    }
    v = warp_sum(v);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = v;
    if (threadIdx.x == 0) {
        float all = 0.0f;
        for (int w = 0; w < 8; w++)
            all += sums[w];
        partial[blockIdx.x] = all;
    }
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    if (threadIdx.x != 0) return;
    float all = 0.0f;
    for (int b = 0; b < blocks; b++)
        all += partial[b];
    partial[0] = all;
}
