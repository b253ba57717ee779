// expect: pass - inputs by asynchronous copies, each thread its own elements: nothing is shared, no barrier is needed
#include <cuda_pipeline.h>

constexpr int threads = 256;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float both[2][threads];
    int own = threadIdx.x;
    int i = blockIdx.x * threads + own;
    if (i < n) {
        __pipeline_memcpy_async(&both[0][own], a + i, sizeof(float));
        __pipeline_memcpy_async(&both[1][own], b + i, sizeof(float));
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    if (i < n)
        c[i] = both[0][own] + both[1][own];
}
