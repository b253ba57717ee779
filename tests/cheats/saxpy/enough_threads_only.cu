// expect: at most 35 - no loop: blocks of 1024 threads have one for each element in small cases
extern "C" __global__ void __launch_bounds__(1024) saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
