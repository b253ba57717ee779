// cause: only block 0 stores its sum
// first: never_written before
// says: pi_sum, which runs before, has left partial[1] unwritten; it is then read at line 25.
// asks: Which elements of partial does pi_sum store, and which of them are read afterwards?
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
    if (id == 0)
        partial[blockIdx.x] = s[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    if (threadIdx.x == 0)
        for (int k = 1; k < blocks; k++)
            partial[0] += partial[k];
}
