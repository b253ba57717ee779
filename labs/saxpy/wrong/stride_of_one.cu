// expect: race_warp short_step - the step is 1: every thread walks to the end
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i++)
        y[i] = a * x[i] + y[i];
}
