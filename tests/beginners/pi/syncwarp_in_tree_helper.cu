// cause: __syncwarp() in the tree orders the lanes of one warp only; with d = 64 and d = 32 threads read cells that other warps have just stored, without a block barrier, a race
// first: race_shared step
// says: no barrier separates the reads and the writes of the steps.
// asks: What must every thread of the block have finished before any of them goes on to line 9?
__device__ void addUp(float *s)
{
    for (int d = 128; d >= 1; d /= 2) {
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
        __syncwarp();
    }
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    int id = blockIdx.x * 256 + threadIdx.x;
    float x = (float)id / n;
    s[threadIdx.x] = id < n ? 4.0f / (1.0f + x * x) : 0.0f;
    __syncthreads();
    addUp(s);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = s[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float s[256];
    float v = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += 256)
        v += partial[k];
    s[threadIdx.x] = v;
    __syncthreads();
    addUp(s);
    if (threadIdx.x == 0)
        partial[0] = s[0];
}
