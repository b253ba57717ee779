// cause: Line 16: continue skips i += step, so a thread that meets a NaN repeats the same element for ever (endless loop with the special values of n = 1500).
// first: fuel continue
// says: the `continue` in line 16 skips line 19, which changes i
// asks: Which lines of the body does a turn execute after the continue?
#include <math.h>

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int step = gridDim.x * blockDim.x;
    while (i < n) {
        float x = a[i];
        float y = b[i];
        if (isnan(x) || isnan(y)) {
            c[i] = NAN;      // nothing to add
            continue;
        }
        c[i] = x + y;
        i += step;
    }
}
