// cause: one thread adds to a __device__ variable, which the next launch finds
// first: wrong_value kept
// says: adds to everything, a variable that keeps its value from one launch to the next, and no line sets it again.
// asks: What does the variable in the message hold when a launch begins
__device__ double everything;

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x, id = blockIdx.x * 256 + t;
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
    if (threadIdx.x > 0)
        return;
    for (int k = 0; k < blocks; k++)
        everything += partial[k];
    partial[0] = (float)everything;
}
