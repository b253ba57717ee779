// cause: __syncwarp() in a tree over eight warps
// first: race_shared step
// says: no barrier separates the reads and the writes of the steps
// asks: What must every thread of the block have finished before any of them goes on to line
__device__ float reduce_block(float *s)
{
    for (int d = 128; d > 0; d >>= 1) {
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
        __syncwarp();       // cheaper
    }
    return s[0];
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    int id = threadIdx.x + 256 * blockIdx.x;
    float x = (float)id / n;
    s[threadIdx.x] = id < n ? 4.0f / (1.0f + x * x) : 0.0f;
    __syncthreads();
    float r = reduce_block(s);
    if (threadIdx.x == 0) partial[blockIdx.x] = r;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float s[256];
    float v = 0;
    for (int b = threadIdx.x; b < blocks; b += 256) v += partial[b];
    s[threadIdx.x] = v;
    __syncthreads();
    float r = reduce_block(s);
    if (threadIdx.x == 0) partial[0] = r;
}
