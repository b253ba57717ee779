// cause: the result is clamped to the range of finite floats (line 14), so infinities, NaN and twice the largest float come out as FLT_MAX or -FLT_MAX
// first: wrong_value special
// says: NaN, infinite or near the largest float
// asks: What does the kernel make of such a number?
#include <float.h>
#include <math.h>

extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float twice = 2.0f * a[i];
        // stay within what a float can hold
        a[i] = fmaxf(-FLT_MAX, fminf(twice, FLT_MAX));
    }
}
