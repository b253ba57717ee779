// expect: never_written elsewhere line=5 - the step is that of the eight blocks of one test
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 8 * 256)
        y[i] = a * x[i] + y[i];
}
