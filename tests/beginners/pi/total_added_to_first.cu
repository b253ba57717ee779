// cause: pi_finish adds the total to partial[0], which is in the total already, so the first block counts twice
// first: wrong_value doubled
// says: This is the total and partial[0] once more.
// asks: Where is partial[0] added?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float x = (float)id / n;
    s[threadIdx.x] = id < n ? 4.0f / (1.0f + x * x) : 0.0f;
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = s[0];
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
        partial[0] += s[0];
}
