// block 0 does everything
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    if (blockIdx.x == 0)
        for (int i = threadIdx.x; i < n; i += blockDim.x)
            c[i] = a[i] + b[i];
}
