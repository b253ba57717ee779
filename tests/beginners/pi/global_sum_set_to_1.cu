// cause: a __device__ variable is set in each launch, but to 1
// first: wrong_value alone
// says: There is one partial sum, partial[0], with the value
// asks: What does pi_finish add to it, or do with it?
__device__ float total;

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x, id = blockIdx.x * 256 + t;
    float x = (float)id / n;
    s[t] = id < n ? 4.0f / (1.0f + x * x) : 0.0f;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = s[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    if (threadIdx.x > 0)
        return;
    total = 1.0f;
    for (int k = 0; k < blocks; k++)
        total += partial[k];
    partial[0] = total;
}
