// cause: __shared__ is missing
// first: not_shared
// says: s is declared without __shared__, so each thread has an array of its own, and what one thread stores in its s no
// asks: Which threads store into this array, and which ones read what was stored?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    float s[256];
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
    if (threadIdx.x == 0)
        for (int k = 1; k < blocks; k++)
            partial[0] += partial[k];
}
