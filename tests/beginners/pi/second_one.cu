// cause: pi_sum stores its sum in partial[0] only
// first: race_global no_block
// says: blockIdx is not in the index, so every block uses the same elements
// asks: Each block stores its sum. Into which element of partial?
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
        partial[0] = s[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
}
