// expect: pass - a loop over the grid, which works for any number of blocks
#include <stdio.h>
#include <cuda_runtime.h>

extern "C" __global__ void doublify(float *a, int n)
{
    int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        a[i] += a[i];
    }
}
