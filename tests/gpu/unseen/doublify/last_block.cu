// the last block does everything
extern "C" __global__ void doublify(float *a, int n)
{
    if (blockIdx.x == gridDim.x - 1)
        for (int i = threadIdx.x; i < n; i += 256)
            a[i] = 2.0f * a[i];
}
