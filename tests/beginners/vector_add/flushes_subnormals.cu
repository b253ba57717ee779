// cause: subnormal sums are replaced by 0 (line 9), though a subnormal result must stay what it is
// first: wrong_value special
// says: Line 9 returns 0.0f, under a condition that asks about x
// asks: What does the kernel make of such a number?
#include <float.h>

__device__ float clean(float x)
{
    if (x > -FLT_MIN && x < FLT_MIN) return 0.0f;    // too small for a float
    return x;
}

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = clean(a[i] + b[i]);
}
