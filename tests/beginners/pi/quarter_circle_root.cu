// cause: mapper: stores 4 * sqrt(1 - x*x), the quarter circle, whose integral is pi, too, instead of 4 / (1 + x*x) (line 12)
// first: wrong_value formula
// says: Every element has the value of 4 * sqrt(1 - x*x), whose integral is pi as well
// asks: Which sign, bracket or factor differs?
#include <math.h>

extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / (float)n;
        dest[id] = 4.0f * sqrtf(1.0f - x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
