// expect: pass - two elements a grid apart in each turn, both loaded before either is stored
extern "C" __global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
    int stride = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + stride < n; i += 2 * stride) {
        float near = a * x[i] + y[i], far = a * x[i + stride] + y[i + stride];
        y[i] = near;
        y[i + stride] = far;
    }
    if (i < n)
        y[i] = a * x[i] + y[i];
}
