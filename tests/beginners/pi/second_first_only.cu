// cause: pi_finish does nothing
// first: wrong_value tail
// says: This is partial[0] alone, and there are 2 partial sums. No thread of pi_finish stores to partial[0].
// asks: Which line adds the others, and where does it leave the total?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    int id = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
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
}
