// expect: out_of_bounds line=7 - changes the first element without asking whether it exists
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int stride = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    do {
        y[i] = a * x[i] + y[i];
        i += stride;
    } while (i < n);
}
