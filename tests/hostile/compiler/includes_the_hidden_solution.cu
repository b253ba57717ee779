// expect: compile line=2 - a solution that is not in the kit
#include "@FOLDER@/hidden/solution.cu"
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}
