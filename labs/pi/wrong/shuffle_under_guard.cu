// expect: sync_mask line=12 - second plan: a shuffle of all 32 lanes where some lanes have left through the guard
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float warps[8];
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    float v = 0;
    if (id < n) {
        float x = (float)id / n;
        v = 4.0f / (1.0f + x * x);
        for (int o = 16; o > 0; o >>= 1)
            v += __shfl_down_sync(0xffffffff, v, o);
    }
    if (lane == 0)
        warps[warp] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int k = 0; k < 8; k++)
            sum += warps[k];
        partial[blockIdx.x] = sum;
    }
}
extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float s[256];
    int tid = threadIdx.x;
    float sum = 0;
    for (int k = tid; k < blocks; k += 256)
        sum += partial[k];
    s[tid] = sum;
    __syncthreads();
    for (int h = 128; h > 0; h /= 2) {
        if (tid < h)
            s[tid] += s[tid + h];
        __syncthreads();
    }
    if (tid == 0)
        partial[0] = s[0];
}
