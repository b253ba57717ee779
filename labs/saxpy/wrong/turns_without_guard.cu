// expect: out_of_bounds line=7 - counts one turn more, and has no guard for it
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int stride = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int turn = 0; turn <= n / stride; turn++)
        y[i + turn * stride] = a * x[i + turn * stride] + y[i + turn * stride];
}
