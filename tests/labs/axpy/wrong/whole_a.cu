// expect: wrong_value - a is cut off to a whole number
extern "C" __global__ void axpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int scale = a;
    if (i < n)
        y[i] = scale * x[i] + y[i];
}
