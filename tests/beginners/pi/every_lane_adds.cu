// cause: after the shuffles every lane has the sum, and every lane adds it
// first: wrong_value multiple
// says: This is 32 times the sum, and a warp has as many lanes.
// asks: Is it multiplied, or do several threads add the same value?
__device__ float sum_of_block(float v)
{
    __shared__ float total;
    if (threadIdx.x == 0)
        total = 0.0f;
    __syncthreads();

    for (int m = 1; m < 32; m *= 2)
        v += __shfl_xor_sync(0xffffffff, v, m);
    atomicAdd(&total, v);

    __syncthreads();
    return total;
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float x = (float) id / (float) n;
    float s = sum_of_block(id < n ? 4.0f / (1.0f + x * x) : 0.0f);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = s;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    float v = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        v += partial[k];
    float s = sum_of_block(v);
    if (threadIdx.x == 0)
        partial[0] = s;
}
