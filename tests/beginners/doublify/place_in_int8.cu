// cause: the place in the block is kept in an int8_t (line 9), which holds -128..127 only, so threads 128 to 255 get a negative place: out of bounds
// first: out_of_bounds narrow_index
// says: Line 12 asks i < n: -128 < 1 is true. t is an int8_t (line 9), which holds no number above 127
// asks: Of which type is the variable that the index is made of, and which numbers can it hold?
#include <stdint.h>

extern "C" __global__ void doublify(float *a, int n)
{
    int8_t t = threadIdx.x;          // 256 values: one byte
    int32_t b = blockIdx.x;
    int32_t i = b * 256 + t;
    if (i < n) {
        a[i] = 2.0f * a[i];
    }
}
