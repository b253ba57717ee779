// cause: writes one element further
// first: out_of_bounds
// says: i + 1 = 0 + 1 = 1
// asks: Which index does the thread of the message use, and which is the last that the array has?
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        y[i + 1] = a * x[i] + y[i];
}
