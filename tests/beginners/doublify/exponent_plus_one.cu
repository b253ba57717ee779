// cause: adds 1 to the exponent's bits, which doubles normal numbers only
// first: wrong_value special
// says: elements without a special input or result are all right.
// asks: What does the kernel make of such a number?
#include <stdint.h>

extern "C" __global__ void doublify(float *a, int n)
{
    // multiplying by 2 only adds one to the exponent, no multiplication needed
    uint32_t *bits = (uint32_t *)a;
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (uint32_t)n)
        bits[i] += 1u << 23;
}
