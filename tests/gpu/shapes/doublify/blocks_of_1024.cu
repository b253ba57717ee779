// the largest blocks
extern "C" __global__ void __launch_bounds__(1024) doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2.0f * a[i];
}
