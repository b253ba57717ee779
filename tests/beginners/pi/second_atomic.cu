// cause: atomicAdd on partial, which nobody cleared
// first: uninitialized atomic
// says: an atomic changes partial[0], which has no initial value: it was never set to zero
// asks: Which line sets this element of partial to its first value?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float x = (float)id / n;
    if (id < n)
        atomicAdd(&partial[blockIdx.x], 4.0f / (1.0f + x * x));
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    if (threadIdx.x == 0)
        for (int k = 1; k < blocks; k++)
            partial[0] += partial[k];
}
