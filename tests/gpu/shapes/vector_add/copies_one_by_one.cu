// each element is copied into shared memory and awaited before the next
#include <cuda_pipeline.h>
extern "C" __constant__ int vector_add_items = 2048;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float s[2][256];
    for (int k = threadIdx.x; k < 2048; k += 256) {
        int i = blockIdx.x * 2048 + k;
        if (i < n) {
            __pipeline_memcpy_async(&s[0][threadIdx.x], &a[i], 4);
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __pipeline_memcpy_async(&s[1][threadIdx.x], &b[i], 4);
            __pipeline_commit();
            __pipeline_wait_prior(0);
            c[i] = s[0][threadIdx.x] + s[1][threadIdx.x];
        }
    }
}
