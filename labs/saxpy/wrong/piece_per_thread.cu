// expect: budget global_sectors - right, but each thread walks through a piece of its own
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int threads = gridDim.x * blockDim.x, each = (n + threads - 1) / threads;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int i = first; i < first + each && i < n; i++)
        y[i] = a * x[i] + y[i];
}
