// expect: budget max_thread_share - right, but one thread does everything
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        for (int i = 0; i < n; i++)
            y[i] = a * x[i] + y[i];
}
