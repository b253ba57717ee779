// cause: partial[0] is in the thread's own sum and in the cell that it is added to
// first: race_mixed
// says: they are in one warp, and still nothing makes one wait for the other
// asks: An atomic operation protects only against other atomic operations. What orders the other access?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float x[256];
    const int t = threadIdx.x;
    const int id = blockIdx.x * 256 + t;
    const float v = (float)id / n;
    x[t] = id < n ? 4.0f / (1.0f + v * v) : 0.0f;
    for (int s = 128; s > 0; s /= 2) {
        __syncthreads();
        if (t < s) x[t] += x[t + s];
    }
    if (t == 0) partial[blockIdx.x] = x[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    float mine = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += 256)
        mine += partial[k];
    atomicAdd(&partial[0], mine);
}
