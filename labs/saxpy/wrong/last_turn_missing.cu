// expect: never_written elsewhere - the condition is too strict: it asks about the next element
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i + stride < n; i += stride)
        y[i] = a * x[i] + y[i];
}
