// cause: pi_sum loses the fractions
// first: wrong_value integer
// says: Every element was counted as 4, so x was always 0.
// asks: What is 1/1000 when both are int?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    int id = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    float x = id / n;
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
    if (threadIdx.x == 0)
        for (int k = 1; k < blocks; k++)
            partial[0] += partial[k];
}
