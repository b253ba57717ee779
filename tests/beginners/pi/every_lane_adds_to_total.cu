// cause: after the xor shuffles all 32 lanes hold the sum of the warp, and all of them add it, so pi_sum leaves 32 times the sum
// first: wrong_value multiple
// says: Every thread of a block runs the atomicAdd of line 19: no condition decides about it.
// asks: Is it multiplied, or do several threads add the same value?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();

    int k = blockIdx.x * blockDim.x + threadIdx.x;
    float h = 0;
    if (k < n) {
        float x = (float)k / n;
        h = 4.0f / (1.0f + x * x);
    }
    for (int m = 1; m < 32; m <<= 1)
        h += __shfl_xor_sync(0xffffffff, h, m);
    atomicAdd(&total, h);
    __syncthreads();
    if (threadIdx.x == 0) partial[blockIdx.x] = total;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();

    float h = 0;
    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        h += partial[k];
    atomicAdd(&total, h);
    __syncthreads();
    if (threadIdx.x == 0) partial[0] = total;
}
