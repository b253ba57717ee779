/* How much constant memory a kernel is said to have: that of its module, used or not (constants.txt: an H200). */
#include <cstdio>

__constant__ float table[20];
__constant__ int other[100];

__global__ void uses(float *out, int i)
{
    out[0] = table[i];
}

__global__ void uses_both(float *out, int i)
{
    out[0] = table[i] + other[i];
}

__global__ void uses_none(float *out, int i)
{
    out[0] = i;
}

template <class Kernel> static void show(Kernel *kernel)
{
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, kernel);
    printf("%zu\n", attributes.constSizeBytes);
}

int main()
{
    show(uses);
    show(uses_both);
    show(uses_none);
    return 0;
}
