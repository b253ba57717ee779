// expect: wrong_value period - second plan: shuffles add up each warp, but only the first warp stores its sum
extern "C" __global__ void pi_sum(float *partial, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float x = (float)id / n;
    float v = id < n ? 4.0f / (1.0f + x * x) : 0.0f;
    for (int o = 16; o > 0; o >>= 1)
        v += __shfl_down_sync(0xffffffff, v, o);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = v;
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
