// cause: the loop of pi_finish never ends, because (1 + 1) / 2 is 1 again and 1 > 0
// first: fuel
// says: the loop at line 30 never ends: nothing that its condition depends on changes any more
// asks: What ends this loop, and after how many iterations?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float part[256];
    const int t = threadIdx.x;
    const int id = blockIdx.x * blockDim.x + t;

    part[t] = 0.0f;
    if (id < n) {
        const float x = (float)id / n;
        part[t] = 4.0f / (1.0f + x * x);
    }
    __syncthreads();

    for (int s = 128; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = part[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    int m = blocks;
    while (m > 0) {
        int half = (m + 1) / 2;      // rounded up, m may be odd
        for (int k = threadIdx.x; k + half < m; k += blockDim.x)
            partial[k] += partial[k + half];
        __syncthreads();
        m = half;
    }
}
