// expect: pass - second plan: each thread of pi_sum adds two elements when it loads; the upper half of the blocks store 0
// reduction with "first add during load", from the slides by M. Harris
__device__ __forceinline__ float f(unsigned k, int n)
{
    if (k >= (unsigned)n) return 0.0f;
    float x = (float)k / (float)n;
    return 4.0f / (1.0f + x * x);
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float sdata[256];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    sdata[tid] = f(i, n) + f(i + blockDim.x, n);
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) partial[blockIdx.x] = sdata[0];
}

extern "C" __global__ void __launch_bounds__(1024) pi_finish(float *partial, int blocks)
{
    __shared__ double sdata[1024];
    unsigned int tid = threadIdx.x;
    double mine = 0;
    for (int k = tid; k < blocks; k += 1024) mine += partial[k];
    sdata[tid] = mine;
    __syncthreads();
    for (unsigned int s = 512; s > 0; s >>= 1) {
        if (tid < s) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) partial[0] = sdata[0];
}
