// cause: sums that are small beside a[i] are taken for rounding noise and replaced by 0 (line 15); with n = 1009 they are the right result
// first: wrong_value small
// says: Line 15 gives s another value, under a condition that asks about s
// asks: Which line makes a small number 0?
#include <math.h>

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = a[i] + b[i];
    // never compare floats with == 0, use a tolerance
    if (fabsf(s) < 1e-5f * fabsf(a[i]))
        s = 0.0f;
    c[i] = s;
}
