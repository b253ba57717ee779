// cause: ldexpf(x, 2) multiplies by 2 to the power of 2 (line 11): the result is four times the input
// first: wrong_value doubled
// says: Every wrong element is 4 times what it was, and should be twice what it was
// asks: Which operations make 4 of it, together or alone?
#include <math.h>

extern "C" __global__ void doublify(float *a, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n)
        a[i] = ldexpf(a[i], 2);
}
