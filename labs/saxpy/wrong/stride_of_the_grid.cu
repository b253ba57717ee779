// expect: race_warp short_step - the step is gridDim.x: blocks are counted, not threads
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x)
        y[i] = a * x[i] + y[i];
}
