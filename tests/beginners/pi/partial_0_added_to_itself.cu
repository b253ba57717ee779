// cause: pi_finish: adds to partial[0], which is one of the sums already, and begins with k = 0 (line 34), so partial[0] counts twice
// first: wrong_value doubled
// says: This is the total and partial[0] once more
// asks: Where is partial[0] added?
// two elements per thread
extern "C" __constant__ int pi_sum_items = 512;

__device__ float f(int id, int n)
{
    if (id >= n) return 0.0f;
    float x = (float)id / (float)n;
    return 4.0f / (1.0f + x * x);
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    int id = blockIdx.x * 512 + t;
    s[t] = f(id, n) + f(id + 256, n);
    for (int d = 128; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d)
            s[t] += s[t + d];
    }
    if (t == 0)
        partial[blockIdx.x] = s[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    if (threadIdx.x != 0)
        return;
    for (int k = 0; k < blocks; k++)
        partial[0] += partial[k];
}
