// expect: race_global no_block - begins at threadIdx.x in every block
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = threadIdx.x; i < n; i += stride)
        y[i] = a * x[i] + y[i];
}
