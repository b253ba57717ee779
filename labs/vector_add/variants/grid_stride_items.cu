// expect: pass - a block loops over 2048 elements, 256 neighbours at a time
#include <stdint.h>

extern "C" __constant__ int vector_add_items = 2048;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int64_t end = min((int64_t)n, (int64_t)(blockIdx.x + 1) * 2048);
    for (int64_t i = (int64_t)blockIdx.x * 2048 + threadIdx.x; i < end; i += blockDim.x) {
        c[i] = a[i] + b[i];
    }
}
