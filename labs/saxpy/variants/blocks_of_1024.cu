// expect: pass - the largest block there is
extern "C" __global__ void __launch_bounds__(1024) saxpy(int n, float a, const float *x, float *y)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] += a * x[i];
}
