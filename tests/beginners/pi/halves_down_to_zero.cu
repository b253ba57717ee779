// cause: 0 / 2 is 0, and 0 >= 0
// first: fuel stays
// says: s becomes 0 and stays 0, and the condition s >= 0 is still true
// asks: What is s after the first turns of the loop
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float x[256];
    int t = threadIdx.x;
    int id = blockIdx.x * blockDim.x + t;
    x[t] = 0.0f;
    if (id < n) {
        float v = (float)id / n;
        x[t] = 4.0f / (1.0f + v * v);
    }
    __syncthreads();
    for (int s = 128; s >= 0; s = s / 2) {
        if (t < s)
            x[t] += x[t + s];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = x[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        int b;
        for (b = 0; b < blocks; b++)
            sum += partial[b];
        partial[0] = sum;
    }
}
