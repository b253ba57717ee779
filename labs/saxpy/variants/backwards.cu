// expect: pass - from the end to the beginning
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int stride = gridDim.x * blockDim.x;
    int last = (n + stride - 1) / stride * stride - stride;
    for (int i = last + blockIdx.x * blockDim.x + threadIdx.x; i >= 0; i -= stride)
        if (i < n)
            y[i] = a * x[i] + y[i];
}
