// cause: the parameters of vector_add
// first: signature
// says: The first parameter of saxpy is float *x, but it must be int.
// asks:
extern "C" __global__ void saxpy(const float *x, float *y, float a, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        y[i] = a * x[i] + y[i];
}
