// expect: compile line=2 - a descriptor of the process itself
#include "/proc/self/fd/3"
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}
