// expect: at most 82 - no stride: a serial loop over a piece in each thread
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int threads = gridDim.x * blockDim.x, each = (n + threads - 1) / threads;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int i = first; i < min(first + each, n); i++)
        y[i] = a * x[i] + y[i];
}
