// expect: pass - second plan: the values in float as asked, all sums in double
__device__ double total(double v)
{
    __shared__ double s[256];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int h = blockDim.x / 2; h; h >>= 1) {
        if (threadIdx.x < h)
            s[threadIdx.x] += s[threadIdx.x + h];
        __syncthreads();
    }
    return s[0];
}
extern "C" __global__ void pi_sum(float *partial, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    double v = 0;
    if (id < n) {
        float x = (float)id / n;
        v = 4.0f / (1.0f + x * x);
    }
    v = total(v);
    if (!threadIdx.x)
        partial[blockIdx.x] = v;
}
extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    double v = 0;
    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        v += partial[k];
    v = total(v);
    if (!threadIdx.x)
        *partial = v;
}
