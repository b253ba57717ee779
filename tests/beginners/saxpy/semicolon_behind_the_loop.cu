// cause: a ; behind the head of the loop
// first: out_of_bounds
// says: read x[256], but x has 1 element (0..0)
// asks: Line 9 first: Which statements does this loop repeat?
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int stride = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i < n; i += stride);
        y[i] = a * x[i] + y[i];
}
