// expect: compile line=3 - from a folder that may be read to one that may not
#include <cuda_fp16.h>
#include <../../../../../../../..@FOLDER@/canary>
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}
