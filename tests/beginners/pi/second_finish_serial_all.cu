// cause: every thread of pi_finish adds all sums into partial[0]
// first: race_global update
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: How many threads of pi_finish run this line?
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
    for (int k = 1; k < blocks; k++)
        partial[0] += partial[k];
}
