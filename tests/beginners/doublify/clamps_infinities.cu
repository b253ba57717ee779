// cause: clamps to the largest float, so infinities and NaN are lost
// first: wrong_value special
// says: elements without a special input or result are all right.
// asks: What does the kernel make of such a number?
#include <float.h>

extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float d = 2.0f * a[i];
        // no overflow please
        a[i] = fminf(fmaxf(d, -FLT_MAX), FLT_MAX);
    }
}
