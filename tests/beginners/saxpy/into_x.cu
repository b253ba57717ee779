// cause: the result goes into x
// first: compile const_input
// says: x is declared const: the kernel may read it, but not change it.
// asks: Which array is the result for?
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        x[i] = a * x[i] + y[i];
}
