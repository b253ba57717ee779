// cause: the step is made of blockIdx in place of gridDim
// first: fuel stays
// says: stride = blockIdx.x*blockDim.x = 0*256 = 0
// asks: from when on does it stay the same?
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int stride = blockIdx.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        y[i] = a * x[i] + y[i];
}
