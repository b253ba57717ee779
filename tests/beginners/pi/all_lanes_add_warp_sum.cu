// cause: pi_sum: after the shuffles with xor all 32 lanes hold the sum of their warp, and all of them add it to the total (line 22), which becomes 32 times as large
// first: wrong_value multiple
// says: Every thread of a block runs the atomicAdd of line 22: no condition decides about it
// asks: Is it multiplied, or do several threads add the same value?
__device__ float warp_sum(float v)
{
    for (int d = 1; d < 32; d *= 2)
        v += __shfl_xor_sync(0xffffffff, v, d);
    return v;
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float total;
    if (threadIdx.x == 0)
        total = 0.0f;
    __syncthreads();

    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float x = (float)id / n;
    float v = id < n ? 4.0f / (1.0f + x * x) : 0.0f;
    atomicAdd(&total, warp_sum(v));      // the sums of all warps

    __syncthreads();
    if (threadIdx.x == 0)
        partial[blockIdx.x] = total;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = t; k < blocks; k += 256)
        sum += partial[k];
    s[t] = sum;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        partial[0] = s[0];
}
