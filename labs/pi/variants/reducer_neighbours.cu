// expect: pass - the pairs go to neighbouring threads, mapper with a reciprocal and in double
#include <math.h>

extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    double step = 1.0 / n;
    if (id < n) {
        double x = id * step;
        dest[id] = (float)(4.0 / (1.0 + x * x));
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    size_t pair = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t left = pair * i * 2;
    size_t right = left + i;
    if (right >= (size_t)n)
        return;
    dest[left] = dest[left] + dest[right];
}
