// expect: compile line=3 - the name comes from a macro
#define NAME "@FOLDER@/canary"
#include NAME
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}
