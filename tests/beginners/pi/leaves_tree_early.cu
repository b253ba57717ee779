// cause: `for (unsigned d = blockDim.x / 2; d > t; d /= 2)` lets a thread leave the loop as soon as it has nothing to add, so it misses the barriers that the others go to
// first: barrier_divergent loop
// says: 16 threads wait at the barrier at line 20 (the first is (0,0,0)), 240 went around it and on to line 22 (one of them is (16,0,0)).
// asks: How many turns of the loop does the first thread in the message make, and how many the others?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    unsigned t = threadIdx.x;
    unsigned id = blockIdx.x * blockDim.x + t;
    float v = 0.0f;
    if (id < n) {
        float x = (float)id / (float)n;
        v = 4.0f / (1.0f + x * x);
    }
    s[t] = v;
    __syncthreads();
    // a thread stays only as long as it has something to add
    for (unsigned d = blockDim.x / 2; d > t; d /= 2) {
        s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = s[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float s[256];
    unsigned t = threadIdx.x;
    float v = 0.0f;
    for (unsigned k = t; k < blocks; k += blockDim.x)
        v += partial[k];
    s[t] = v;
    __syncthreads();
    for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) partial[0] = s[0];
}
