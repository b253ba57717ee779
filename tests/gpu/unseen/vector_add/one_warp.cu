// one block of one warp works
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    if (blockIdx.x == 0 && threadIdx.x < 32)
        for (int i = threadIdx.x; i < n; i += 32)
            c[i] = a[i] + b[i];
}
