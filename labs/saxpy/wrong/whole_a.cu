// expect: wrong_value typed - the factor is cut off to a whole number
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int stride = gridDim.x * blockDim.x;
    int scale = a;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        y[i] = scale * x[i] + y[i];
}
