// cause: p[k] = scalbnf(p[k], 2); multiplies by 2 to the power of 2: every element becomes four times what it was
// first: wrong_value doubled
// says: Every wrong element is 4 times what it was, and should be twice what it was.
// asks: Which operations make 4 of it, together or alone?
#include <math.h>

extern "C" __global__ void doublify(float *p, int n)
{
    int k = threadIdx.x + blockIdx.x * blockDim.x;
    if (k >= n)
        return;
    // scale the binary number, this never rounds
    p[k] = scalbnf(p[k], 2);
}
