// cause: a[i] = fmaxf(-FLT_MAX, fminf(FLT_MAX, 2.0f * a[i])); limits the result to finite numbers: infinity, overflow and NaN become FLT_MAX instead of infinity and NaN
// first: wrong_value special
// says: an input or the right result is special: NaN, infinite or near the largest float.
// asks: What does the kernel make of such a number?
#include <float.h>

extern "C" __global__ void doublify(float *a, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;
    if (i < n) {
        // keep it inside the range of float
        a[i] = fmaxf(-FLT_MAX, fminf(FLT_MAX, 2.0f * a[i]));
    }
}
