// expect: pass - product and sum are rounded one after the other, without fma
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = __fadd_rn(__fmul_rn(a, x[i]), y[i]);
}
