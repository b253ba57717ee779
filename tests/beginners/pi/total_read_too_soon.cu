// cause: pi_sum: no barrier between the atomic additions and reading the total (before line 19): thread 0 may store it before the other warps have added
// first: race_mixed
// says: still nothing makes one wait for the other
// asks: What must every thread of the block have finished
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float total;
    if (threadIdx.x == 0)
        total = 0.0f;
    __syncthreads();

    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        atomicAdd(&total, 4.0f / (1.0f + x * x));
    }

    if (threadIdx.x == 0)
        partial[blockIdx.x] = total;
}

extern "C" __global__ void __launch_bounds__(512) pi_finish(float *sums, int count)
{
    __shared__ float c[512];
    float v = 0.0f;
    for (int k = threadIdx.x; k < count; k += 512)
        v += sums[k];
    c[threadIdx.x] = v;
    __syncthreads();
    for (unsigned stride = 256; stride; stride >>= 1) {
        if (threadIdx.x < stride)
            c[threadIdx.x] += c[threadIdx.x + stride];
        __syncthreads();
    }
    if (!threadIdx.x)
        sums[0] = c[0];
}
