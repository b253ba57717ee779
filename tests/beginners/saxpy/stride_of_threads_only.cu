// cause: the step is blockDim.x * 8, because one test has 8 blocks
// first: never_written elsewhere
// says: i grows by 8*blockDim.x = 8*256 = 2048
// asks: Which elements should line 8 store, and which does it store?
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 8 * blockDim.x)
        y[i] = a * x[i] + y[i];
}
