// cause: `if (t == blockDim.x - 1) partial[blockIdx.x] = acc[0];` thread 255 reads acc[0] after the last step with no barrier behind it, while thread 0 may still be adding: a race
// first: race_shared
// says: no barrier between them.
// asks: What must every thread of the block have finished before any of them goes on to line 19?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float acc[256];
    int t = threadIdx.x;
    int id = blockIdx.x * blockDim.x + t;
    float x = (float)id / n;
    acc[t] = id < n ? 4.0f / (1.0f + x * x) : 0.0f;
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            acc[t] += acc[t + d];
    }
    // the last thread hands the result over
    if (t == blockDim.x - 1)
        partial[blockIdx.x] = acc[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float acc[256];
    int t = threadIdx.x;
    float mine = 0.0f;
    for (int k = t; k < blocks; k += blockDim.x)
        mine += partial[k];
    acc[t] = mine;
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            acc[t] += acc[t + d];
    }
    if (t == 0)
        partial[0] = acc[0];
}
