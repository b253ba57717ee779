// expect: budget global_sectors - right, but neighbouring threads are a grid apart
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int threads = gridDim.x * blockDim.x;
    for (int i = threadIdx.x * gridDim.x + blockIdx.x; i < n; i += threads)
        y[i] = a * x[i] + y[i];
}
