// cause: pi_finish leaves out block 0
// first: wrong_value part
// says: partial[0] is missing in the total.
// asks: Where should it be added?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x, id = blockIdx.x * 256 + t;
    float x = (float)id / n;
    s[t] = id < n ? 4 / (1 + x * x) : 0;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = s[0];
}
extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int b = 1; b < blocks; b++) sum += partial[b];
        if (blocks > 1) partial[0] = sum;
    }
}
