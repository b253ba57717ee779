// expect: wrong_value|near_miss - computes in half precision
#include <cuda_fp16.h>
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = __half2float(__float2half(a[i])) * 2;
}
