// cause: the barrier is under the condition that lets half of the threads add
// first: barrier_divergent branch
// says: Line 14 is inside the `if` of line 12.
// asks: Which threads does the if in the message let through to the barrier, and what do the others do meanwhile?
__device__ float tree(float v)
{
    __shared__ float x[256];
    int t = threadIdx.x;
    x[t] = v;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s) {
            x[t] += x[t + s];
            __syncthreads();
        }
    }
    return x[0];
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    int id = blockIdx.x * 256 + threadIdx.x;
    float x = (float)id / n;
    float sum = tree(id < n ? 4.0f / (1.0f + x * x) : 0.0f);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int b = 0; b < blocks; b++) sum += partial[b];
        partial[0] = sum;
    }
}
