// cause: the shuffles start with a distance of 8, so lanes 16 to 31 of each warp are never added
// first: wrong_value part
// says: This is the sum of the elements 0..15 alone.
// asks: Which thread should add the others, and in which step?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float warps[8];
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float x = (float)id / n;
    float v = id < n ? 4.0f / (1.0f + x * x) : 0.0f;
    for (int d = 8; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int w = 0; w < 8; w++)
            sum += warps[w];
        partial[blockIdx.x] = sum;
    }
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float s[256];
    float v = 0;
    for (int k = threadIdx.x; k < blocks; k += 256)
        v += partial[k];
    s[threadIdx.x] = v;
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
    }
    if (threadIdx.x == 0)
        partial[0] = s[0];
}
