// cause: Lines 14 and 15 clamp the value to FLT_MAX / 2, so infinities and the largest floats become FLT_MAX instead of infinity (n = 1009).
// first: wrong_value special
// says: is special: infinite or near the largest float.
// asks: What does the kernel make of such a number?
#include <float.h>

extern "C" __global__ void doublify(float *a, int n)
{
    const float limit = FLT_MAX / 2;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = a[i];
        // no overflow please
        if (x >  limit) x =  limit;
        if (x < -limit) x = -limit;
        a[i] = 2 * x;
    }
}
