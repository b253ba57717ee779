// expect: fuel unchanged - the index never moves
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n)
        y[i] = a * x[i] + y[i];
}
