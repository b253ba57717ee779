// cause: brackets around the sum
// first: wrong_value formula
// says: Every wrong element of y is a * (x[i] + y[i]).
// asks: Which of the two arrays does the factor belong to?
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        y[i] = a * (x[i] + y[i]);
}
