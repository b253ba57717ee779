// expect: never_written elsewhere - each thread's piece is rounded down: the end is left
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int each = n / (gridDim.x * blockDim.x), first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int i = first; i < first + each; i++)
        y[i] = a * x[i] + y[i];
}
