// expect: race|race_global|never_written|wrong_value - every block works on the first one's elements
extern "C" __global__ void axpy(int n, float a, const float *x, float *y)
{
    int i = threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
