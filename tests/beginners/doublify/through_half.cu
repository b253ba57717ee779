// cause: each element passes through a half
// first: wrong_value digits
// says: Every wrong element is a number of no more than 11 bits, as a half holds; a float has 24.
// asks: Which operation or type on the way loses the others?
#include <cuda_fp16.h>
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { half h = __float2half(a[i]); a[i] = 2 * __half2float(h); }
}
