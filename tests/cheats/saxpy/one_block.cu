// expect: at most 90 - one block does everything
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    for (int i = threadIdx.x; i < n && blockIdx.x == 0; i += blockDim.x)
        y[i] = a * x[i] + y[i];
}
