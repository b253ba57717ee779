// cause: after __shfl_xor_sync all lanes have the sum of the warp, and each of them adds it to the sum of the block
// first: wrong_value multiple
// says: Every thread of a block runs the atomicAdd of line 19: no condition decides about it.
// asks: Is it multiplied, or do several threads add the same value?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float all;
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0.0f;
    if (id < n) {
        float x = (float)id / n;
        v = 4.0f / (1.0f + x * x);
    }
    if (threadIdx.x == 0)
        all = 0.0f;
    __syncthreads();
    for (int lane = 16; lane > 0; lane /= 2)
        v += __shfl_xor_sync(0xffffffff, v, lane);
    atomicAdd(&all, v);
    __syncthreads();
    if (threadIdx.x == 0)
        partial[blockIdx.x] = all;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float part[256];
    float v = 0.0f;
    for (int b = threadIdx.x; b < blocks; b += blockDim.x)
        v += partial[b];
    part[threadIdx.x] = v;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (threadIdx.x < d)
            part[threadIdx.x] += part[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partial[0] = part[0];
}
