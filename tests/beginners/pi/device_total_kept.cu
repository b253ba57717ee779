// cause: `__device__ float total = 0.0f;` keeps its value from launch to launch, and nothing sets it back: the second launch of pi_finish adds to the sum of the first
// first: wrong_value kept
// says: Line 32 adds to total, a variable that keeps its value from one launch to the next, and no line sets it again.
// asks: What does the variable in the message hold when a launch begins, and what when the next one does?
__device__ float total = 0.0f;

extern "C" __global__ void pi_sum(float *partial, int n)
{
    float v = 0.0f;
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        v = 4.0f / (1.0f + x * x);
    }
    __shared__ float s[256];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int k = 128; k > 0; k /= 2) {
        if (threadIdx.x < k)
            s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = s[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    float mine = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        mine += partial[k];
    atomicAdd(&total, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        partial[0] = total;
}
