// cause: all threads read the sum of the tree, and no barrier is behind the last step
// first: race_shared
// says: no barrier between them
// asks: What must every thread of the block have finished before any of them goes on to line
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float tmp[256];
    int tid = threadIdx.x;
    int gid = blockIdx.x * blockDim.x + tid;
    tmp[tid] = 0.0f;
    if (gid < n) {
        float x = (float)gid / (float)n;
        tmp[tid] = 4.0f / (1.0f + x * x);
    }
    for (int off = blockDim.x / 2; off > 0; off >>= 1) {
        __syncthreads();
        if (tid < off) tmp[tid] += tmp[tid + off];
    }
    // the last thread is the one that knows that all is done
    if (tid == blockDim.x - 1) partial[blockIdx.x] = tmp[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float tmp[256];
    int tid = threadIdx.x;
    float acc = 0.0f;
    for (int k = tid; k < blocks; k += blockDim.x) acc += partial[k];
    tmp[tid] = acc;
    for (int off = blockDim.x / 2; off > 0; off >>= 1) {
        __syncthreads();
        if (tid < off) tmp[tid] += tmp[tid + off];
    }
    if (tid == 0) partial[0] = tmp[0];
}
