// page: reference.md
// says: Of C's headers there are `stdio.h`, `stdint.h`, `stddef.h`, `limits.h`, `float.h`, `math.h`, `assert.h` and their likes
// expect: pass
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

extern "C" __global__ void doublify(float *a, int n)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(n <= INT_MAX);
    if (i < (size_t)n) {
        a[i] = a[i] > FLT_MAX ? INFINITY : 2 * a[i];
    }
}
