// each block counts itself in double
__device__ double done;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
    if (threadIdx.x == 0)
        atomicAdd(&done, 1.0);
}
