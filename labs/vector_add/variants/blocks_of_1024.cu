// expect: pass - the largest block there is, asked for by __launch_bounds__; an early return as guard
extern "C" __global__ void __launch_bounds__(1024) vector_add(const float *x, const float *y, float *z, int count)
{
    const int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid >= count)
        return;
    z[tid] = x[tid] + y[tid];
}
