// cause: `atomicAdd(&partial[0], mine);` adds to partial[0], which is also one of the summands: thread 0 has it in mine already, so it counts twice
// first: wrong_value doubled
// says: This is the total and partial[0] once more.
// asks: Where is partial[0] added?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x, id = blockIdx.x * blockDim.x + t;
    float x = (float)id / n;
    s[t] = id < n ? 4.0f / (1.0f + x * x) : 0.0f;
    __syncthreads();
    for (int d = 128; d; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = s[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    float mine = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        mine += partial[k];
    __syncthreads();
    atomicAdd(&partial[0], mine);
}
