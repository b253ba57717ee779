// the first warp of the grid does everything
extern "C" __global__ void doublify(float *a, int n)
{
    if (blockIdx.x == 0 && threadIdx.x < 32)
        for (int i = threadIdx.x; i < n; i += 32)
            a[i] = 2.0f * a[i];
}
