// cause: the loop begins with the second element of each thread
// first: never_written elsewhere
// says: i begins at blockIdx.x*blockDim.x + threadIdx.x + stride = 0*256 + 0 + 256 = 256
// asks: Which elements should line 9 store, and which does it store?
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x + stride; i < n; i += stride)
        y[i] = a * x[i] + y[i];
}
