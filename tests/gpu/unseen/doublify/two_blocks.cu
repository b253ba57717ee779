// two blocks for everything
extern "C" __global__ void doublify(float *a, int n)
{
    if (blockIdx.x < 2)
        for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * min(2, gridDim.x))
            a[i] = 2.0f * a[i];
}
