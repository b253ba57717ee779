// cause: a is a whole number in the parameter list
// first: signature
// says: The second parameter of saxpy is int a, but it must be float.
// asks:
extern "C" __global__ void saxpy(int n, int a, const float *x, float *y)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        y[i] = a * x[i] + y[i];
}
