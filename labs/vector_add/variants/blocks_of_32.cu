// expect: pass - blocks of a single warp
extern "C" __global__ void __launch_bounds__(32) vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
