// cause: the step is added to another variable
// first: fuel unchanged
// says: nothing in it changes i
// asks: Which line of the loop changes i?
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int stride = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = i;
    while (i < n) {
        y[i] = a * x[i] + y[i];
        k += stride;
    }
}
