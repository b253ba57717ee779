// cause: adds in half
// first: wrong_value digits
// says: Every wrong element is a number of no more than 11 bits, as a half holds; a float has 24.
// asks: Which operation or type on the way loses the others?
#include <cuda_fp16.h>
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = __half2float(__hadd(__float2half(a[i]), __float2half(b[i])));
}
