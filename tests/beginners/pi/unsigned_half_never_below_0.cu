// cause: `for (unsigned half = blockDim.x / 2; half >= 0; half /= 2)` never ends: an unsigned number is always >= 0, and half stays 0
// first: fuel unsigned
// says: the loop at line 10 never ends: half is unsigned, so half >= 0 is always true
// asks: Can it ever be below 0?
__device__ float reduce_block(float value)
{
    __shared__ float s[256];
    s[threadIdx.x] = value;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half >= 0; half /= 2) {
        if (threadIdx.x < half)
            s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    return s[0];
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float value = 0.0f;
    if (id < n) {
        float x = (float)id / n;
        value = 4.0f / (1.0f + x * x);
    }
    float sum = reduce_block(value);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    float value = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        value += partial[k];
    float sum = reduce_block(value);
    if (threadIdx.x == 0)
        partial[0] = sum;
}
