// expect: race_global no_block - every block walks over the whole array
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[i] = a * x[i] + y[i];
}
